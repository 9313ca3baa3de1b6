"""The `a2ap` program: its commands, and how their errors end: one line, and an exit status that is not zero.

Status 1: it could not be done. 2: the command was not understood. 130: interrupted.
"""

import os
import sys
from importlib.metadata import version
from typing import Annotated, NoReturn

import typer

from a2ap.errors import A2APError
from graph.cli import (
    admission,
    agents,
    ask,
    audit,
    blast_radius,
    bundle,
    claim,
    cypher,
    deactivate,
    demo,
    dictionary,
    drift,
    export,
    gold,
    impact,
    keygen,
    keys,
    lineage,
    log,
    mirror,
    pack,
    packet,
    packet_assemble,
    packet_forward,
    packet_receive,
    packet_return,
    passport,
    path,
    peer,
    policy,
    probe,
    rebuild,
    recheck,
    redact,
    replay,
    requests,
    retention,
    retract,
    search,
    serve,
    sign,
    source,
    sparql,
    stats,
    submit,
    verdicts,
    verifier,
    verify,
    watch,
)
from graph.cli.errors import CommandError
from graph.cli.terminal import remark
from graph.cli.wrong_values import explain
from graph.demo.errors import DemoError
from graph.errors import GraphError
from graph.settings import SettingsError
from graph.verifier.errors import VerifierError

_EXPECTED = (A2APError, CommandError, DemoError, GraphError, SettingsError, VerifierError)

app = typer.Typer(
    name="a2ap",
    help="Signed claims, traced to the exact bytes they rest on, checked and weighed.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("serve")(serve.serve)
app.command("demo")(demo.demo)
app.command("ask")(ask.ask)
app.command("cypher")(cypher.cypher)
app.add_typer(search.app, name="search")
app.command("keygen")(keygen.keygen)
app.command("register")(agents.register)
app.command("endorse")(agents.endorse)
app.command("announce")(agents.announce)
app.add_typer(keys.app, name="key")
app.command("deactivate")(deactivate.deactivate)
app.add_typer(admission.app, name="admission")
app.add_typer(policy.app, name="policy")
app.command("claim")(claim.claim)
app.command("sign")(sign.sign_file)
app.command("submit")(submit.submit)
app.command("request")(requests.request)
app.command("lease")(requests.lease)
app.command("respond")(verdicts.respond)
app.command("decline")(requests.decline)
app.command("answer")(verdicts.answer)
app.command("verifier")(verifier.verifier)
app.add_typer(verifier.app, name="review")
app.command("verify")(verify.verify)
app.command("retract")(retract.retract)
app.add_typer(redact.app, name="redact")
app.command("retention")(retention.retention)
app.add_typer(gold.app, name="gold")
app.add_typer(probe.app, name="probe")
app.command("recheck")(recheck.recheck)
app.command("drift")(drift.drift)
app.command("bundle")(bundle.bundle)
app.command("audit")(audit.audit)
app.command("blast-radius")(blast_radius.blast_radius)
app.command("impact")(impact.impact)
app.command("path")(path.path)
app.command("watch")(watch.watch)
app.command("lineage")(lineage.lineage)
app.command("stats")(stats.stats)
app.add_typer(source.app, name="source")
app.add_typer(export.app, name="export")
app.command("mirror")(mirror.mirror)
app.command("dictionary")(dictionary.dictionary)
app.command("sparql")(sparql.sparql)
app.command("rebuild")(rebuild.rebuild_graph)
app.command("replay")(replay.replay)
app.add_typer(log.app, name="log")
app.add_typer(peer.app, name="peer")
app.add_typer(passport.app, name="passport")
app.add_typer(pack.app, name="pack")
packet.app.command("assemble")(packet_assemble.assemble)
packet.app.command("receive")(packet_receive.receive_packet)
packet.app.command("use")(packet_receive.use_packet)
packet.app.command("return")(packet_return.return_packet)
packet.app.command("disposition")(packet_return.dispose)
packet.app.command("forward")(packet_forward.forward_packet)
packet.app.command("register")(packet_forward.register_packet)
app.add_typer(packet.app, name="packet")


@app.callback(invoke_without_command=True)
def _about(
    context: typer.Context,
    show_version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
) -> None:
    if show_version:
        typer.echo(f"a2ap {version('a2ap')}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
        raise typer.Exit(2)


def main() -> NoReturn:
    """Run the command that the arguments of the process name, and exit."""
    try:
        status = app(prog_name="a2ap", standalone_mode=False)
    except typer.TyperException as error:
        _fail(explain(error), error.exit_code)
    except typer.Abort:
        _fail("interrupted", 130)
    except _EXPECTED as error:
        _fail(str(error))
    except BrokenPipeError:
        # Whoever read our output has seen enough; Python would complain once more when it flushes.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except OSError as error:
        _fail(f"{error.filename}: {error.strerror}" if error.filename and error.strerror else str(error))
    except Exception as error:
        if os.environ.get("A2AP_DEBUG"):
            raise
        _fail(f"internal error, {type(error).__name__}: {error} (A2AP_DEBUG=1 shows where)")
    sys.exit(status if isinstance(status, int) else 0)


def _fail(message: str, status: int = 1) -> NoReturn:
    remark(f"a2ap: {message}")
    sys.exit(status)
