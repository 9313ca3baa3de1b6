"""The gate: of true claims, mutated in every way, fewer than one in twenty is validated; of untouched ones, all."""

from random import Random

import pytest

from a2ap.verification_response import Verdict
from bench.mutations import BEST, FORMS, SEED, measure_meeting, mutated, mutations, rates
from bench.utterances import Meeting, blank_statement, read_meeting
from graph.evidence.cited_bytes import cite
from graph.evidence.machine_check import CheckStatus, check_evidence
from graph.verifier.alignment import AlignmentJudge
from graph.verifier.judging import verdict_of

_SAMPLE = 12


@pytest.fixture(scope="module")
def meeting() -> Meeting:
    return read_meeting(None)


@pytest.mark.parametrize("form", FORMS)
def test_few_mutations_are_validated_and_few_untouched_claims_are_not(meeting: Meeting, form: str) -> None:
    judge = AlignmentJudge()
    blank = blank_statement(meeting.transcript)
    tried = accepted = 0
    for _, name, mutation in mutations(form):
        for statement in mutated(mutation, form, meeting, Random(f"{SEED} {name}"), blank, _SAMPLE):
            tried += 1
            accepted += verdict_of(judge.judge(statement, meeting.transcript)) is Verdict.VALIDATED

    assert tried > 250
    assert accepted / tried < 0.05


def test_what_a_machine_can_check_is_never_accepted(meeting: Meeting) -> None:
    blank = blank_statement(meeting.transcript)
    tried = 0
    for kind, name, mutation in mutations("quoted"):
        if kind == "machine-checkable":
            for statement in mutated(mutation, "quoted", meeting, Random(f"{SEED} {name}"), blank, _SAMPLE):
                tried += 1
                assert verdict_of(AlignmentJudge().judge(statement, meeting.transcript)) is not Verdict.VALIDATED, name
                cited = [cite(meeting.transcript.data, s.byte_range, meeting.timings) for s in statement.evidence]
                assert check_evidence(statement, cited).status is CheckStatus.FAIL, name
    assert tried > 50


def test_the_same_seed_gives_the_same_figures(meeting: Meeting) -> None:
    few = Meeting(meeting.name, meeting.transcript, meeting.timings, meeting.utterances[:4])

    first, second = (measure_meeting(few, SEED, 2) for _ in range(2))

    assert first == second
    accepted, refused = rates(first, "quoted", BEST)
    assert (accepted, refused) == (0.0, 0.0)
