"""`a2ap bundle`: a statement with all that its score rests on in one file, and how `a2ap verify` checks such a file."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from a2ap.bundle import verify_bundle
from a2ap.canonical import sha256_digest
from a2ap.errors import A2APError, BundleError
from a2ap.finding import FindingStatus
from a2ap.log.signed_note import VerifierKey
from graph.cli.errors import CommandError
from graph.cli.options import DEFAULT_URL, Token, Url, open_client
from graph.cli.terminal import remark, say


def bundle(
    statement: Annotated[str, typer.Argument(help="The statement, by its id or its signed hash.")],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="The file to write; without it, standard output.")
    ] = None,
    url: Url = DEFAULT_URL,
    token: Token = None,
) -> None:
    """Fetch the bundle of a statement.

    It has the statement, its verdicts, the keys of all agents involved, the policy, the sources that you may have, and
    the proof that each of these messages is in the platform's log.
    """
    with open_client(url, token) as client:
        data = client.bundle(statement)
    if out is None:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    out.write_bytes(data)
    remark(f"{out}: {len(data):,} bytes; `a2ap verify {out} --log-key KEY` checks it")


def verify_bundle_file(data: bytes, log_key: str | None, witness_policy: Path | None, sources: Sequence[Path]) -> None:
    """Check a bundle and print what it proves and what it does not; exit with 1 where something does not hold."""
    # What weighs verdicts and reads captions is needed here only.
    from graph.audit.bundle_score import weigh_bundle
    from graph.evidence.machine_check import check_evidence
    from graph.evidence.source_text import read_source
    from graph.transparency.witnesses import load_policy_file

    if log_key is None:
        raise CommandError("a bundle is verified with the key of its log: --log-key (`a2ap log key` prints it)")
    try:
        key = VerifierKey.parse(log_key)
    except A2APError as error:
        raise CommandError(f"--log-key: {error}") from error
    policy = load_policy_file(witness_policy, "--witness-policy").policy if witness_policy is not None else None
    try:
        report = verify_bundle(data, key, witnesses=policy, weigh=weigh_bundle)
    except BundleError as error:
        say(f"FAILS        {error}")
        raise typer.Exit(1) from error
    for what in report.proved:
        say(f"holds        {what}")
    for what in report.standing:
        say(f"BUT          {what}")
    documents = {**report.sources, **{sha256_digest(data): data for data in (path.read_bytes() for path in sources)}}
    failed = False
    if documents:
        read = {name: read_source(content) for name, content in documents.items()}
        cited = [
            read[name].cite(segment.byte_range, segment.page) if (name := segment.document_hash or "") in read else None
            for segment in report.statement.evidence
        ]
        for finding in check_evidence(report.statement, cited).findings:
            if finding.status is FindingStatus.PASS:
                say(f"holds        evidence: {finding.criterion}")
            else:
                failed = failed or finding.status is FindingStatus.FAIL
                word = "FAILS      " if finding.status is FindingStatus.FAIL else "not proved "
                say(f"{word}  evidence: {finding.criterion}, {finding.evidence}")
    for what in report.not_proved:
        say(f"not proved   {what}")
    say(f"signed hash {report.statement.envelope.signed_hash}")
    if failed:
        raise typer.Exit(1)
