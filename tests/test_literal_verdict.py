"""What follows from findings: A2AP §4.2 at its word, under its own name, and ours, which says when nobody can tell."""

from typing import Any

import pytest
from vectors_file import load_vectors

from a2ap.messages.finding import Finding, FindingStatus
from a2ap.messages.verdict import confidence_of, verdict_of
from a2ap.messages.verification_response import Verdict
from graph.verifier.literal import literal_confidence_of, literal_verdict_of

VECTORS = {vector["name"]: vector for vector in load_vectors("a2ap_verdicts.json")}
CRITERIA = ("source-accuracy", "logical-consistency")


def findings_of(vector: dict[str, Any]) -> list[Finding]:
    given = zip(CRITERIA, vector["findings"], strict=False)
    return [Finding(name, FindingStatus(status), "", confidence) for name, (status, confidence) in given]


@pytest.mark.parametrize("vector", VECTORS.values(), ids=VECTORS)
def test_the_specification_at_its_word_gives_what_its_code_gives(vector: dict[str, Any]) -> None:
    findings = findings_of(vector)

    assert literal_verdict_of(findings) == vector["verdict"]
    if findings:
        assert literal_confidence_of(findings) == vector["confidence"]
    else:
        with pytest.raises(ZeroDivisionError):
            literal_confidence_of(findings)


@pytest.mark.parametrize("name", ["spec_2_3_example", "one_fail"])
def test_where_all_is_decided_ours_is_the_same(name: str) -> None:
    findings = findings_of(VECTORS[name])

    assert verdict_of(findings) == VECTORS[name]["verdict"]
    assert confidence_of(findings) == round(VECTORS[name]["confidence"], 4)


@pytest.mark.parametrize(("name", "literal"), [("inconclusive", Verdict.CHALLENGED), ("empty", Verdict.VALIDATED)])
def test_who_cannot_tell_neither_challenges_nor_validates(name: str, literal: Verdict) -> None:
    findings = findings_of(VECTORS[name])

    assert literal_verdict_of(findings) is literal
    assert verdict_of(findings) is Verdict.INSUFFICIENT_EVIDENCE


def test_evidence_that_does_not_suffice_is_no_objection_to_the_claim() -> None:
    findings = [Finding("evidence-sufficiency", FindingStatus.FAIL, "", 0.9)]

    assert literal_verdict_of(findings) is Verdict.CHALLENGED
    assert verdict_of(findings) is Verdict.INSUFFICIENT_EVIDENCE
