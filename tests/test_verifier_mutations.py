"""The gate: no true claim that is mutated is validated, no cut beyond those allowed; of untouched claims, all are."""

from collections import Counter
from random import Random

import pytest

from a2ap.messages.verdict import verdict_of
from a2ap.messages.verification_response import Verdict
from bench.deletions import FRAMES, deletions, measure_deletions
from bench.mutations import BEST, FORMS, SEED, measure_meeting, mutated, mutations, rates
from bench.utterances import Meeting, blank_statement, read_meeting, stated
from graph.evidence.cited_bytes import cite
from graph.evidence.machine_check import CheckStatus, check_evidence
from graph.verifier.alignment import AlignmentJudge


@pytest.fixture(scope="module")
def meeting() -> Meeting:
    return read_meeting(None)


@pytest.mark.parametrize("form", FORMS)
def test_no_mutation_of_any_kind_is_validated(meeting: Meeting, form: str) -> None:
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
    assert accepted == {}


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


def test_no_deletion_and_no_frame_cut_is_validated_but_for_cuts_that_are_allowed(meeting: Meeting) -> None:
    counted = measure_deletions(meeting.transcript, Random(SEED), most=8, one_in=20)

    for kind in ("word", "span"):
        for row in counted["deletions"][kind].values():
            assert (row["tried"] > 0, row["validated"]) == (True, 0)
    for judge, row in counted["frames"].items():
        # Of eight sentences those that are no questions, in two forms.
        assert (row["tried"] in range(2 * len(FRAMES), 17 * len(FRAMES)), row["validated"]) == (True, 0), judge
    for untouched in counted["untouched"].values():
        assert untouched["tried"] > 200
        assert untouched["refused"] == []


def test_every_word_and_every_span_is_deleted_once() -> None:
    assert [rest for _, rest in deletions("We do not agree")] == [
        "do not agree", "not agree", "agree", "We not agree", "We agree", "We", "We do agree", "We do", "We do not",
    ]  # fmt: skip
    assert len(list(deletions(" ".join(map(str, range(30)))))) == 30 * 31 // 2 - 1


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
