"""The verifiers: true claims pass, and no figure, negation, speaker or citation can be changed without notice."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
from demo_statements import altered, claims_of, shipped, signed_by_author

from a2ap.messages.finding import Finding, FindingStatus
from a2ap.messages.statement import ProvenanceStatement
from a2ap.messages.verdict import verdict_of
from a2ap.messages.verification_response import Verdict
from graph.transcripts.transcript import Transcript
from graph.verifier.alignment import AlignmentJudge
from graph.verifier.judging import Judge
from graph.verifier.search import SearchJudge


@dataclass(frozen=True)
class Meeting:
    """The shipped meeting, and what the author says of it."""

    transcript: Transcript
    statements: tuple[ProvenanceStatement, ...]

    def statement(self, words: str) -> ProvenanceStatement:
        return next(one for one in self.statements if words in one.claim.text)


@pytest.fixture(scope="module")
def meeting(tmp_path_factory: pytest.TempPathFactory) -> Meeting:
    source, transcript = shipped()
    folder = tmp_path_factory.mktemp("author")
    return Meeting(transcript, tuple(signed_by_author(folder, claims_of(transcript), source)))


@pytest.fixture(params=[AlignmentJudge, SearchJudge])
def judge(request: pytest.FixtureRequest) -> Judge:
    made: Judge = request.param()
    return made


def test_every_claim_of_the_author_is_validated(meeting: Meeting, judge: Judge) -> None:
    for statement in meeting.statements:
        findings = judge.judge(statement, meeting.transcript)
        assert verdict_of(findings) is Verdict.VALIDATED, (statement.claim.text, findings)
        assert {finding.criterion for finding in findings} == {
            "source-accuracy",
            "evidence-sufficiency",
            "logical-consistency",
        }


def figures(claim: str) -> Iterator[str]:
    start = claim.index("“")
    for match in re.finditer(r"\d+", claim[start:]):
        yield claim[: start + match.start()] + str(int(match[0]) + 1) + claim[start + match.end() :]


def negations(claim: str) -> Iterator[str]:
    start = claim.index("“")
    for word, turned in (
        (" is ", " is not "),
        (" will ", " will not "),
        (" not ", " "),
        (" no ", " "),
        (" has ", " has no "),
    ):
        if word in claim[start:]:
            yield claim[:start] + claim[start:].replace(word, turned, 1)


def speakers(claim: str) -> Iterator[str]:
    yield re.sub(r"(?:the )?[\w ]+ said: “", "the Mayor said: “", claim)


def order(claim: str) -> Iterator[str]:
    start = claim.index("“") + 1
    words = claim[start:-1].split()
    for place in range(len(words) - 1):
        if words[place].lower() != words[place + 1].lower():
            yield claim[:start] + " ".join([*words[:place], words[place + 1], words[place], *words[place + 2 :]]) + "”"
            return


@pytest.mark.parametrize("alter", [figures, negations, speakers, order])
def test_an_altered_claim_is_not_validated(
    meeting: Meeting, judge: Judge, alter: Callable[[str], Iterator[str]]
) -> None:
    tried = 0
    for statement in meeting.statements:
        for claim in alter(statement.claim.text):
            tried += 1
            changed = altered(statement, claim)
            assert verdict_of(judge.judge(changed, meeting.transcript)) is not Verdict.VALIDATED, claim
    assert tried > 20


def test_a_claim_with_the_evidence_of_another_is_not_validated(meeting: Meeting, judge: Judge) -> None:
    quoting = [statement for statement in meeting.statements if statement.claim.text.startswith("On item")]

    for statement, other in zip(quoting, [*quoting[1:], quoting[0]], strict=True):
        changed = altered(statement, evidence_of=other)
        assert verdict_of(judge.judge(changed, meeting.transcript)) is not Verdict.VALIDATED, statement.claim.text


def test_a_quotation_that_leaves_out_a_not_is_left_open(meeting: Meeting, judge: Judge) -> None:
    statement = meeting.statement("it would not punish the small owners")
    cut = altered(statement, "The Ward 2 Council Member said: “punish the small owners.”")

    findings = judge.judge(cut, meeting.transcript)

    assert verdict_of(findings) is Verdict.INSUFFICIENT_EVIDENCE
    assert _finding(findings, "logical-consistency").status is FindingStatus.INCONCLUSIVE


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("The applicant asks to change the zoning from heavy industrial to mixed use.", Verdict.INSUFFICIENT_EVIDENCE),
        ("The applicant asks to change the zoning with a height limit of 85 feet.", Verdict.CHALLENGED),
        ("The applicant does not ask to change the zoning from heavy industrial to mixed use.", Verdict.CHALLENGED),
        ("Dragons guard the northern harbour against wizards.", Verdict.INSUFFICIENT_EVIDENCE),
    ],
)
def test_a_claim_in_other_words_is_measured_by_the_words_cited(meeting: Meeting, claim: str, verdict: Verdict) -> None:
    statement = meeting.statement("asks the city to change the zoning")

    assert verdict_of(AlignmentJudge().judge(altered(statement, claim), meeting.transcript)) is verdict


def test_bytes_that_were_moved_fail_source_accuracy(meeting: Meeting, judge: Judge) -> None:
    moved = Transcript.read(meeting.transcript.data.replace(b"Good evening", b"Good  evening", 1))
    pretended = Transcript(
        moved.data, meeting.transcript.document_hash, moved.cues, moved.sentences, moved.introductions
    )

    found = _finding(judge.judge(meeting.statements[3], pretended), "source-accuracy")

    assert found.status is FindingStatus.FAIL
    assert "contentHash" in found.evidence


def test_another_source_than_the_cited_one_decides_nothing(meeting: Meeting, judge: Judge) -> None:
    other = Transcript.read(b"WEBVTT\n\n00:01.000 --> 00:04.000\n<v A>Something else entirely.\n")

    findings = judge.judge(meeting.statements[0], other)

    assert verdict_of(findings) is not Verdict.VALIDATED
    assert _finding(findings, "source-accuracy").status is FindingStatus.INCONCLUSIVE


def test_verdicts_follow_from_findings() -> None:
    def of(*statuses: tuple[str, FindingStatus]) -> Verdict:
        return verdict_of([Finding(name, status, "", 0.9) for name, status in statuses])

    passed, failed, open_ = FindingStatus.PASS, FindingStatus.FAIL, FindingStatus.INCONCLUSIVE
    assert of() is Verdict.INSUFFICIENT_EVIDENCE
    assert of(("source-accuracy", passed)) is Verdict.VALIDATED
    assert of(("source-accuracy", passed), ("evidence-sufficiency", failed)) is Verdict.INSUFFICIENT_EVIDENCE
    assert of(("source-accuracy", passed), ("evidence-sufficiency", open_)) is Verdict.INSUFFICIENT_EVIDENCE
    assert of(("logical-consistency", failed), ("evidence-sufficiency", failed)) is Verdict.CHALLENGED


def _finding(findings: tuple[Finding, ...], criterion: str) -> Finding:
    return next(finding for finding in findings if finding.criterion == criterion)
