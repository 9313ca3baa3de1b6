"""`a2ap passport`: records of what agents did and handed on, on files: made, verified, shown and replayed."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from a2ap.passport.building import (
    DEFAULT_BRANCH,
    Event,
    build_commit,
    build_fork,
    build_root,
)
from a2ap.passport.check_chain import check_chain
from a2ap.passport.event_type import EventType
from a2ap.passport.finding import Status
from a2ap.passport.profile import PayloadProfile
from a2ap.passport.replay import replay_chain
from graph.cli.errors import CommandError
from graph.cli.options import AsJson, SignerCommand
from graph.cli.passport_file import (
    announce,
    find_passport,
    fresh_passport_id,
    open_chain,
    open_maker,
    read_file,
    read_keys,
    read_payload,
    read_seen,
    write_chain,
)
from graph.cli.passport_platform import fetch, submit
from graph.cli.passport_text import print_replay, print_report, show_record
from graph.cli.signing import now

app = typer.Typer(
    help="Context Passports: what agents did and handed on.",
    context_settings={"help_option_names": ["-h", "--help"]},
)

File = Annotated[Path, typer.Argument(help="The file of the chain.", show_default=False)]
Agent = Annotated[
    str | None, typer.Option("--agent", help="The id of the agent; without it, that of the key.", show_default=False)
]
Name = Annotated[str | None, typer.Option("--name", help="What people call the agent; without it, its id.")]
Role = Annotated[str | None, typer.Option("--role", help="Such as researcher, writer or reviewer.")]
Provider = Annotated[str | None, typer.Option("--provider", help="Of its model, such as anthropic or local.")]
Model = Annotated[str | None, typer.Option("--model", help="Its model.")]
Payload = Annotated[
    Path | None,
    typer.Option(
        "--payload", help="A JSON file with input, output, memory, variables; - reads standard input.", allow_dash=True
    ),
]
Input = Annotated[str | None, typer.Option("--input", help="What the agent received, as text, instead of --payload.")]
Output = Annotated[str | None, typer.Option("--output", help="What the agent produced, as text.")]
To = Annotated[str | None, typer.Option("--to", help="The id of the agent that it is handed to.")]
Parent = Annotated[
    str | None, typer.Option("--parent", help="The record that it follows; without it, the only one at an end.")
]
Profile = Annotated[PayloadProfile, typer.Option("--profile", help="How the payload is hashed.")]
SigningKey = Annotated[
    Path | None,
    typer.Option("--key", envvar="A2AP_KEY", help="A key file: the record is signed.", show_default=False),
]


app.command("submit")(submit)
app.command("fetch")(fetch)


@app.callback(invoke_without_command=True)
def _about(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
        raise typer.Exit(2)


@app.command("init")
def init(
    file: File,
    agent: Agent = None,
    name: Name = None,
    role: Role = None,
    provider: Provider = None,
    model: Model = None,
    payload: Payload = None,
    input_text: Input = None,
    output_text: Output = None,
    to: To = None,
    branch: Annotated[str, typer.Option("--branch", help="The name of its branch.")] = DEFAULT_BRANCH,
    trace: Annotated[str | None, typer.Option("--trace", help="The id of the run, trc_ and more.")] = None,
    profile: Profile = PayloadProfile.V2,
    key: SigningKey = None,
    signer: SignerCommand = None,
) -> None:
    """Begin a chain: write its first record to a new file."""
    maker = open_maker(agent, name, role, provider, model, key, signer)
    content = read_payload(payload, input_text, output_text)
    members = build_root(
        fresh_passport_id(),
        now(),
        maker.author,
        content,
        branch=branch,
        trace_id=trace,
        event=Event(to_agent_id=to),
        profile=profile,
    )
    data = maker.finish(members, profile)
    try:
        with file.open("xb") as new:
            new.write(data)
    except FileExistsError as error:
        raise CommandError(f"{file} is there already; `a2ap passport commit` adds to it") from error
    announce(members)


@app.command("commit")
def commit(
    file: File,
    agent: Agent = None,
    name: Name = None,
    role: Role = None,
    provider: Provider = None,
    model: Model = None,
    payload: Payload = None,
    input_text: Input = None,
    output_text: Output = None,
    to: To = None,
    parent: Parent = None,
    event: Annotated[
        str | None, typer.Option("--type", help="The type of the event; commit, or merge with --merge, without it.")
    ] = None,
    target: Annotated[
        str | None,
        typer.Option("--target", help="The record that a revert goes back to, or whose payload a redact hides."),
    ] = None,
    merge: Annotated[list[str] | None, typer.Option("--merge", help="A further parent, by its id; repeatable.")] = None,
    branch: Annotated[str | None, typer.Option("--branch", help="Another branch than that of its parent.")] = None,
    profile: Profile = PayloadProfile.V2,
    key: SigningKey = None,
    signer: SignerCommand = None,
) -> None:
    """Add a record to a chain.

    Everything in the file stays as it is. A chain that does not hold is not gone on with.
    """
    maker = open_maker(agent, name, role, provider, model, key, signer)
    content = read_payload(payload, input_text, output_text)
    held = open_chain(file, parent)
    merged = [find_passport(held.chain, wanted) for wanted in merge or ()]
    kind = event or (EventType.MERGE if merged else EventType.COMMIT)
    if kind == EventType.FORK:
        raise CommandError("`a2ap passport fork` begins a branch")
    if target is not None:
        find_passport(held.chain, target)
    members = build_commit(
        fresh_passport_id(),
        now(),
        maker.author,
        content,
        held.parent,
        event=Event(kind, to, target),
        merged=merged,
        branch=branch,
        profile=profile,
        status=held.status,
    )
    write_chain(file, held.chain, maker.finish(members, profile))
    announce(members)


@app.command("fork")
def fork(
    file: File,
    branch: Annotated[str, typer.Option("--branch", help="The name of the new branch.", show_default=False)],
    agent: Agent = None,
    name: Name = None,
    role: Role = None,
    provider: Provider = None,
    model: Model = None,
    payload: Payload = None,
    input_text: Input = None,
    output_text: Output = None,
    parent: Parent = None,
    profile: Profile = PayloadProfile.V2,
    key: SigningKey = None,
    signer: SignerCommand = None,
) -> None:
    """Begin another branch, from any record of a chain."""
    maker = open_maker(agent, name, role, provider, model, key, signer)
    content = read_payload(payload, input_text, output_text)
    held = open_chain(file, parent)
    members = build_fork(
        fresh_passport_id(),
        now(),
        maker.author,
        content,
        held.parent,
        held.chain,
        branch,
        profile=profile,
        status=held.status,
    )
    write_chain(file, held.chain, maker.finish(members, profile))
    announce(members)


KnownKeys = Annotated[
    list[str] | None,
    typer.Option("--known-key", help="A key that you know, KEY-ID=PUBLIC-KEY; repeatable.", show_default=False),
]


@app.command("verify")
def verify(
    file: File,
    known_key: KnownKeys = None,
    seen: Annotated[
        list[Path] | None,
        typer.Option("--seen", help="A file with records that you have from elsewhere; repeatable."),
    ] = None,
    head: Annotated[
        str | None, typer.Option("--head", help="The integrity hash that the chain must end in, sha256:…")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Verify a chain, and say what holds and what does not.

    Ends with 0 only where the chain is valid: neither broken nor in part impossible to check.
    """
    report = check_chain(read_file(file), known_keys=read_keys(known_key), seen=read_seen(seen or ()), head=head)
    print_report(report, as_json)
    if report.status is not Status.VALID:
        raise typer.Exit(1)


@app.command("show")
def show(
    file: File,
    passport_id: Annotated[str | None, typer.Argument(metavar="[ID]", help="One record; without it, all.")] = None,
    known_key: KnownKeys = None,
    raw: Annotated[bool, typer.Option("--raw", help="Print the bytes of the record as they were received.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show the records of a chain, each with what was found."""
    chain = read_file(file)
    wanted = find_passport(chain, passport_id) if passport_id is not None else None
    if raw:
        if wanted is None:
            raise CommandError("--raw shows one record: name it")
        sys.stdout.buffer.write(wanted.data)
        sys.stdout.buffer.flush()
        return
    report = check_chain(chain, known_keys=read_keys(known_key))
    shown = [one for one in report.records if wanted is None or one.passport is wanted]
    show_record(shown, report.hidden, as_json)


@app.command("replay")
def replay(
    file: File,
    at: Annotated[str | None, typer.Option("--at", help="Only the state at this record.")] = None,
    known_key: KnownKeys = None,
    as_json: AsJson = False,
) -> None:
    """Rebuild the state at each record of a chain."""
    chain = read_file(file)
    wanted = find_passport(chain, at) if at is not None else None
    steps = replay_chain(chain, check_chain(chain, known_keys=read_keys(known_key)))
    print_replay([step for step in steps if wanted is None or step.passport is wanted], as_json)
