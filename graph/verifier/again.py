"""Runs a verdict again: the same statement and bytes, the same criteria, the same question to the same model."""

from collections.abc import Iterator
from dataclasses import dataclass

from a2ap.errors import SignatureError
from a2ap.messages.verdict import verdict_of
from a2ap.messages.verification_response import Verdict
from a2ap.verifier.criteria import Judgement, Panel
from a2ap.verifier.fetching import Fetching
from a2ap.verifier.findings import ACCURACY, failed
from a2ap.verifier.material import Material
from a2ap.verifier.records import RunRecord, bytes_read


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference between two runs: its subject, the value before and the value now."""

    about: str
    before: str
    now: str


def run_again(record: RunRecord, fetching: Fetching, panel: Panel) -> tuple[Difference, ...]:
    """Judge the statement of a record again, and return every difference; none means that the outcome is the same.

    Nothing is signed. Raises DeclineError if the statement can no longer be read, and RetryError.
    """
    statement = fetching.statement(record.statement_id, record.statement_hash)
    try:
        fetching.check_signature(statement)
    except SignatureError as error:
        material, verdict = Material(statement, {}), Verdict.INVALID_SIGNATURE
        judgement = Judgement((failed(ACCURACY, str(error), 1.0),))
    else:
        material = fetching.material(statement)
        judgement = panel.judge(material, record.criteria)
        verdict = verdict_of(judgement.findings)
    return tuple(_differences(record, material, judgement, verdict, panel))


def _differences(
    record: RunRecord, material: Material, judgement: Judgement, verdict: Verdict, panel: Panel
) -> Iterator[Difference]:
    if verdict is not record.verdict:
        yield Difference("verdict", record.verdict, verdict)
    now = {finding.criterion: finding for finding in judgement.findings}
    for before in record.findings:
        found = now.get(before.criterion)
        after = f"{found.status} ({found.confidence:g}): {found.evidence}" if found is not None else "nothing"
        told = f"{before.status} ({before.confidence:g}): {before.evidence}"
        if told != after:
            yield Difference(before.criterion, told, after)
    if bytes_read(material) != record.read:
        yield Difference("bytes read", _sources(record), ", ".join(sorted(material.sources)) or "none")
    for name, version in panel.versions([name for name in record.criteria if name in panel.criteria]).items():
        if record.versions.get(name) not in (None, version):
            yield Difference(f"version of {name}", record.versions[name], version)
    asked = [(one.model, one.instructions, one.question) for one in record.asked]
    if asked != [(one.model, one.instructions, one.question) for one in judgement.asked]:
        yield Difference("question to the model", f"{len(asked)} asked", f"{len(judgement.asked)} asked, not the same")


def _sources(record: RunRecord) -> str:
    return ", ".join(sorted(one.document_hash for one in record.read)) or "none"
