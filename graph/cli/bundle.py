"""`a2ap statement bundle`: a statement with all that its score rests on in one file, for `a2ap verify`."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from a2ap.bundle.bundle import BundleReport, verify_bundle
from a2ap.canonical import sha256_digest
from a2ap.errors import A2APError, BundleError
from a2ap.json_text import write_json
from a2ap.log.signed_note import VerifierKey
from a2ap.messages.finding import FindingStatus
from a2ap.messages.statement import ProvenanceStatement
from graph.cli.errors import CommandError
from graph.cli.options import DEFAULT_URL, Token, Url, open_client
from graph.cli.terminal import remark, say

IN_FORCE_NOT_PROVED_STATUS = 3

_HOLDS, _FAILS, _NOT_PROVED = "holds", "FAILS", "not proved"
# By the kind of the claim; a bundle does not show whether the statement is verified.
_MEANINGS = {
    "REPORTS": "is of whether the cited source says the claim, not of whether it is so",
    "ASSERTS": "is of whether the cited evidence bears out the claim",
    "": "is of whether the source says the claim, or of whether the evidence bears it out: the quotes are not in here",
}


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


def verify_bundle_file(
    data: bytes, log_key: str | None, witness_policy: Path | None, sources: Sequence[Path], as_json: bool
) -> None:
    """Check a bundle and print the things that it proves and those that it does not.

    The status is 1 if something does not hold, and `IN_FORCE_NOT_PROVED_STATUS` if all holds and the bundle does not
    prove that the policy, keys and other items that its score rests on are in force at the checkpoint.
    """
    # The function that weighs verdicts is needed here only.
    from graph.audit.bundle_score import weigh_bundle
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
        say(write_json({"status": "fails", "fault": str(error)}).decode() if as_json else f"FAILS        {error}")
        raise typer.Exit(1) from error
    evidence = _check_sources(report, sources)
    failed = any(word == _FAILS for word, _ in evidence)
    if as_json:
        say(write_json(_as_json(report, evidence, failed)).decode())
    else:
        _print(report, evidence)
    if failed:
        raise typer.Exit(1)
    if not report.is_current:
        raise typer.Exit(IN_FORCE_NOT_PROVED_STATUS)


def _check_sources(report: BundleReport, sources: Sequence[Path]) -> list[tuple[str, str]]:
    """Return a word and a sentence for each finding about the evidence; none if no source is at hand."""
    # The modules that read captions are needed here only.
    from graph.evidence.machine_check import check_evidence
    from graph.evidence.source_text import read_source

    documents = {**report.sources, **{sha256_digest(data): data for data in (path.read_bytes() for path in sources)}}
    if not documents:
        return []
    read = {name: read_source(content) for name, content in documents.items()}
    cited = [
        read[name].cite(segment.byte_range, segment.page) if (name := segment.document_hash or "") in read else None
        for segment in report.statement.evidence
    ]
    words = {FindingStatus.PASS: _HOLDS, FindingStatus.FAIL: _FAILS}
    return [
        (word, f"evidence: {finding.criterion}" + ("" if word == _HOLDS else f", {finding.evidence}"))
        for finding in check_evidence(report.statement, cited).findings
        for word in [words.get(finding.status, _NOT_PROVED)]
    ]


def _print(report: BundleReport, evidence: Sequence[tuple[str, str]]) -> None:
    lines = [(_HOLDS, what) for what in report.proved] + [("BUT", what) for what in report.standing]
    for word, what in [*lines, *evidence, *((_NOT_PROVED, what) for what in report.not_proved)]:
        say(f"{word:<12} {what}")
    if report.score is not None:
        say(f"{'score':<12} {_MEANINGS[_kind(report.statement)]}")
    say(f"signed hash {report.statement.envelope.signed_hash}")


def _kind(statement: ProvenanceStatement) -> str:
    # The modules that read captions are needed here only.
    from graph.verifier.claim_kind import kind_as_shown

    return kind_as_shown(statement.claim.text, [segment.quote_text or "" for segment in statement.evidence]) or ""


def _as_json(report: BundleReport, evidence: Sequence[tuple[str, str]], failed: bool) -> dict[str, Any]:
    score = report.score
    return {
        "status": "fails" if failed else "in-force" if report.is_current else "in-force-not-proved",
        "signedHash": report.statement.envelope.signed_hash,
        "checkpoint": {"origin": report.checkpoint.origin, "treeSize": report.checkpoint.tree_size},
        "score": score
        and {
            "method": score.method,
            "consensusScore": score.consensus_score,
            "claimKind": _kind(report.statement) or None,
        },
        "inForce": [
            {
                "item": one.item,
                "proved": one.proved,
                "restsOn": [
                    {"signedHash": each.signed_hash, "type": each.type, "logIndex": each.log_index}
                    for each in one.rests_on
                ],
            }
            for one in report.in_force
        ],
        "evidence": [{"status": word, "finding": what} for word, what in evidence],
        "standing": list(report.standing),
        "proved": list(report.proved),
        "notProved": list(report.not_proved),
    }
