"""How verifiers did on probes: what counts as accepting and refusing, and how sure that is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from a2ap.messages.finding import FindingStatus
from a2ap.messages.verification_response import Verdict
from graph.gold.probe_record import ProbeAnswer, ProbeRecord, Rate, answered, probe_records

PASS, FAIL, INCONCLUSIVE = FindingStatus.PASS, FindingStatus.FAIL, FindingStatus.INCONCLUSIVE


def answer(
    status: FindingStatus = PASS,
    verdict: Verdict = Verdict.VALIDATED,
    *,
    right: bool = False,
    verifier: str = "v",
    statement: str = "s",
    place: int = 1,
) -> ProbeAnswer:
    return ProbeAnswer(verifier, statement, "k", right, verdict, (("k", status),), place)


@pytest.mark.parametrize(
    ("verdict", "findings", "expected"),
    [
        (Verdict.VALIDATED, [("k", PASS)], PASS),
        (Verdict.VALIDATED, [("other", PASS)], INCONCLUSIVE),
        (Verdict.VALIDATED, [("k", INCONCLUSIVE)], INCONCLUSIVE),
        (Verdict.CHALLENGED, [("k", FAIL)], FAIL),
        (Verdict.CHALLENGED, [("other", FAIL)], INCONCLUSIVE),
        (Verdict.CHALLENGED, [("k", PASS), ("other", FAIL)], INCONCLUSIVE),
        (Verdict.CHALLENGED, [], FAIL),
        (Verdict.CHALLENGED, [("k", INCONCLUSIVE)], INCONCLUSIVE),
        (Verdict.INSUFFICIENT_EVIDENCE, [("k", FAIL)], FAIL),
        (Verdict.INSUFFICIENT_EVIDENCE, [], INCONCLUSIVE),
        (Verdict.INVALID_SIGNATURE, [], FAIL),
    ],
)
def test_what_a_verdict_answers(
    verdict: Verdict, findings: list[tuple[str, FindingStatus]], expected: FindingStatus
) -> None:
    assert answered("k", verdict, findings) is expected


def test_a_wrong_claim_that_is_passed_is_falsely_accepted() -> None:
    assert probe_records([answer(PASS)]) == {"v": ProbeRecord(Rate(1, 1), Rate(0, 0), Rate(0, 1))}


def test_a_right_claim_that_is_failed_is_falsely_refused() -> None:
    found = probe_records([answer(FAIL, Verdict.CHALLENGED, right=True)])
    assert found == {"v": ProbeRecord(Rate(0, 0), Rate(1, 1), right_refused_otherwise=Rate(0, 1))}


def test_no_conclusion_is_neither_and_counts_among_the_seen() -> None:
    found = probe_records([answer(INCONCLUSIVE), answer(INCONCLUSIVE, right=True, statement="t")])["v"]
    assert (found.seen, found.abstentions, found.false_accepts.value, found.false_refusals.value) == (2, 2, 0.0, 0.0)


@pytest.mark.parametrize(
    ("verdict", "findings"),
    [
        (Verdict.CHALLENGED, (("other", FAIL),)),
        (Verdict.CHALLENGED, (("k", PASS), ("other", FAIL))),
        (Verdict.CHALLENGED, (("k", INCONCLUSIVE),)),
        (Verdict.INSUFFICIENT_EVIDENCE, (("other", FAIL),)),
    ],
)
def test_a_fault_under_another_criterion_is_a_refusal_and_no_abstention(
    verdict: Verdict, findings: tuple[tuple[str, FindingStatus], ...]
) -> None:
    answers = [ProbeAnswer("v", name, "k", name == "right", verdict, findings, 1) for name in ("right", "wrong")]
    found = probe_records(answers)["v"]
    assert (found.seen, found.abstentions) == (2, 0)
    assert (found.false_accepts, found.false_refusals) == (Rate(0, 1), Rate(0, 1))
    assert (found.wrong_refused_otherwise, found.right_refused_otherwise) == (Rate(1, 1), Rate(1, 1))


def test_the_last_answer_of_a_verifier_counts() -> None:
    found = probe_records([answer(FAIL, Verdict.CHALLENGED, place=7), answer(PASS, place=3)])["v"]
    assert found.false_accepts == Rate(0, 1)


def test_nothing_is_known_of_a_verifier_that_has_seen_none() -> None:
    record = ProbeRecord()
    assert (record.seen, record.false_accepts.value, record.false_accepts.interval95) == (0, None, (0.0, 1.0))


@pytest.mark.parametrize(
    ("rate", "low", "high"),
    [
        (Rate(0, 10), 0.0, 0.2775),
        (Rate(1, 10), 0.0179, 0.4042),
        (Rate(10, 10), 0.7225, 1.0),
        (Rate(50, 100), 0.4038, 0.5962),
    ],
)
def test_the_interval_is_wilsons(rate: Rate, low: float, high: float) -> None:
    assert rate.interval95 == pytest.approx((low, high), abs=1e-4)


@given(st.integers(0, 10_000), st.integers(0, 10_000))
def test_an_interval_holds_its_share_and_stays_within_0_and_1(count: int, more: int) -> None:
    rate = Rate(count, count + more)
    low, high = rate.interval95

    assert 0.0 <= low <= high <= 1.0
    assert rate.value is None or low - 1e-12 <= rate.value <= high + 1e-12


@given(
    st.lists(
        st.builds(
            answer,
            st.sampled_from(FindingStatus),
            right=st.booleans(),
            place=st.integers(0, 99),
            verifier=st.sampled_from("vw"),
            statement=st.sampled_from("st"),
        ),
        unique_by=lambda one: one.log_index,
    )
)
def test_the_order_of_the_answers_changes_nothing_and_the_counts_add_up(answers: list[ProbeAnswer]) -> None:
    found = probe_records(answers)

    assert probe_records(reversed(answers)) == found
    for record in found.values():
        otherwise = record.wrong_refused_otherwise.count + record.right_refused_otherwise.count
        assert record.false_accepts.count + record.false_refusals.count + record.abstentions + otherwise <= record.seen
