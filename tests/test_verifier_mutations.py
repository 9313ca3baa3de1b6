"""The gate: of true claims, mutated in every way, fewer than one in twenty is validated; of untouched ones, all."""

from collections import Counter
from random import Random

import pytest

from a2ap.messages.verification_response import Verdict
from bench.mutations import BEST, FORMS, SEED, measure_meeting, mutated, mutations, rates
from bench.utterances import Meeting, blank_statement, read_meeting, stated
from graph.evidence.cited_bytes import cite
from graph.evidence.machine_check import CheckStatus, check_evidence
from graph.verifier.alignment import AlignmentJudge
from graph.verifier.judging import verdict_of


@pytest.fixture(scope="module")
def meeting() -> Meeting:
    return read_meeting(None)


@pytest.mark.parametrize("form", FORMS)
def test_few_mutations_of_any_kind_are_validated(meeting: Meeting, form: str) -> None:
    judge = AlignmentJudge()
    blank = blank_statement(meeting.transcript)
    tried, accepted = Counter[str](), Counter[str]()
    for kind, name, mutation in mutations(form):
        for statement in mutated(mutation, form, meeting, Random(f"{SEED} {name}"), blank):
            tried.update([kind, name])
            if verdict_of(judge.judge(statement, meeting.transcript)) is Verdict.VALIDATED:
                accepted.update([kind, name])

    assert {kind for kind, _, _ in mutations(form)} <= tried.keys()
    assert tried.total() / 2 > 2000
    assert {name: accepted[name] for name in tried if accepted[name] / tried[name] >= 0.05} == {}


@pytest.mark.parametrize("form", FORMS)
def test_every_claim_that_nobody_touched_is_validated(meeting: Meeting, form: str) -> None:
    judge, blank = AlignmentJudge(), blank_statement(meeting.transcript)
    refused = [
        utterance.words
        for utterance in meeting.utterances
        if verdict_of(judge.judge(stated(blank, utterance.text(form), utterance.evidence), meeting.transcript))
        is not Verdict.VALIDATED
    ]
    assert len(meeting.utterances) > 80
    assert refused == []


def test_what_a_machine_can_check_is_never_accepted(meeting: Meeting) -> None:
    blank = blank_statement(meeting.transcript)
    tried = 0
    for kind, name, mutation in mutations("quoted"):
        if kind == "machine-checkable":
            for statement in mutated(mutation, "quoted", meeting, Random(f"{SEED} {name}"), blank):
                tried += 1
                assert verdict_of(AlignmentJudge().judge(statement, meeting.transcript)) is not Verdict.VALIDATED, name
                cited = [cite(meeting.transcript.data, s.byte_range, meeting.timings) for s in statement.evidence]
                assert check_evidence(statement, cited).status is CheckStatus.FAIL, name
    assert tried > 500


def test_the_same_seed_gives_the_same_figures(meeting: Meeting) -> None:
    few = Meeting(meeting.name, meeting.transcript, meeting.timings, meeting.utterances[:4])

    first, second = (measure_meeting(few, SEED, 2) for _ in range(2))

    assert first == second
    accepted, refused = rates(first, "quoted", BEST)
    assert (accepted, refused) == (0.0, 0.0)
