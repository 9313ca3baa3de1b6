"""`a2ap log audit`: checks a node from outside, its log, every document, every signature and the whole graph."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn

from a2ap.errors import A2APError
from a2ap.log.signed_note import VerifierKey
from a2ap.log.witness_policy import WitnessPolicy
from graph.audit.report import AuditReport, Finding
from graph.cli.errors import CommandError
from graph.cli.options import AsJson, Data, read_settings
from graph.cli.terminal import counted, in_words, print_json, progress, remark, say

if TYPE_CHECKING:
    from graph.audit.run import AuditRequest

EQUIVOCATION_STATUS = 3
"""The exit status if the log contradicts itself and the proof was written."""
UNFINISHED_STATUS = 4
"""The exit status if no fault was found, and a step of the audit could not be done."""


def audit(
    node: Annotated[str, typer.Argument(help="The address of a node, or a folder that `a2ap log export` wrote.")],
    log_key: Annotated[
        str | None,
        typer.Option("--log-key", help="The verifier key of its log; without it, the one remembered, or the node's."),
    ] = None,
    checkpoint: Annotated[
        Path | None,
        typer.Option("--checkpoint", help="The file to remember its checkpoint in, instead of one in the data folder."),
    ] = None,
    witness_policy: Annotated[
        Path | None,
        typer.Option("--witness-policy", help="A C2SP tlog-policy file: which witnesses must have cosigned."),
    ] = None,
    token_file: Annotated[
        Path | None, typer.Option("--token-file", help="A file with your token, where the node gave you one.")
    ] = None,
    graph: Annotated[bool, typer.Option("--graph/--no-graph", help="Check signatures and compare the graph.")] = True,
    as_json: AsJson = False,
    data: Data = None,
) -> None:
    """Audit a node.

    Exit status 0: no fault was found. 1: a check failed, and each finding names it and the place. 3: the log
    contradicts itself; the proof was written beside the remembered checkpoints. 4: no fault was found, and a step of
    the audit could not be done; `not compared` names it.
    """
    # The driver takes a while to load, and most commands need no database.
    from graph.audit.audit import Trust
    from graph.audit.equivocations import equivocation_members, keep_equivocation
    from graph.audit.kept_checkpoints import KeptCheckpoints
    from graph.audit.run import AuditRequest

    settings = read_settings(data)
    folder = settings.data / "audit"
    policy = _read_policy(witness_policy)
    report = AuditReport(on_finding=(lambda finding: None) if as_json else _show)
    request = AuditRequest(
        node=node,
        trust=Trust(_read_key(log_key), policy),
        kept=KeptCheckpoints(folder, checkpoint),
        token=_read_token(token_file),
        compare_graph=graph,
        heap=settings.engine_heap,
    )
    asyncio.run(_run(request, report))
    if report.equivocation is not None:
        members = equivocation_members(report.equivocation, report.equivocation_hashes)
        path = keep_equivocation(folder / "equivocations", members)
        remark(f"the log contradicts itself; the proof is {path}")
    if as_json:
        print_json(report.members)
    else:
        _tell(report)
    if not report.passed:
        raise typer.Exit(EQUIVOCATION_STATUS if report.equivocation is not None else 1)
    if not report.finished:
        raise typer.Exit(UNFINISHED_STATUS)


async def _run(request: "AuditRequest", report: AuditReport) -> None:
    from graph.audit.run import run_audit

    with progress(TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()) as display:
        task = display.add_task("Reading the log", total=None)

        def advance(what: str, done: int, total: int) -> None:
            display.update(task, description=what, completed=done, total=total or None)

        await run_audit(request, report, advance)


def _show(finding: Finding) -> None:
    say(f"FAILS        {finding.line}")


def _tell(report: AuditReport) -> None:
    for what in report.held:
        say(f"holds        {what}")
    for what, number in sorted(report.checked.items()):
        say(f"compared     {number:,} {what}")
    for why, number in sorted(report.not_compared.items()):
        say(f"not compared {why}" + (f" ({number:,})" if number > 1 else ""))
    if report.more:
        say(f"FAILS        and {counted(report.more, 'finding')} more")
    ended = counted(len(report.findings) + report.more, "finding")
    if report.passed:
        ended = "no fault was found"
        if report.checked:
            ended += f" in {in_words(sorted(report.checked))}"
        if report.partial:
            ended += ", and not all of it was compared"
    say(f"{report.origin or 'the node'}, {report.tree_size:,} entries: {ended}")


def _read_key(text: str | None) -> VerifierKey | None:
    try:
        return VerifierKey.parse(text) if text is not None else None
    except A2APError as error:
        raise CommandError(f"--log-key: {error}") from error


def _read_policy(path: Path | None) -> WitnessPolicy | None:
    from graph.transparency.witnesses import load_policy_file

    return load_policy_file(path, "--witness-policy").policy if path is not None else None


def _read_token(path: Path | None) -> str | None:
    if path is None:
        return None
    token = path.read_text(encoding="utf-8").strip()
    if not token:
        raise CommandError(f"--token-file: {path} is empty")
    return token
