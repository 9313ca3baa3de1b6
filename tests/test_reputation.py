"""Reputation: the literal rule on the vectors of §6.3, the labels of verdicts, and the Beta distribution."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.stats import beta

from a2ap.messages.epoch import CopyEvidence, Estimate
from a2ap.messages.finding import FindingStatus
from a2ap.messages.verification_response import Verdict
from graph.scoring.beta import beta_quantile
from graph.scoring.consensus import GateState
from graph.scoring.pooling import Record
from graph.scoring.reliabilities import ReliabilityTable
from graph.scoring.reputation import (
    PRIOR_REPUTATION,
    VerdictLabel,
    compute_literal_reputation,
    compute_reputation,
    label_verdicts,
    literal_reputation,
    reputation_from,
)
from graph.scoring.reputation_parts import without_criterion, without_verdict
from graph.scoring.votes import ConsensusPolicy, Judgement

PASS, FAIL = FindingStatus.PASS, FindingStatus.FAIL
RIGHT, WRONG = VerdictLabel.RIGHT, VerdictLabel.WRONG
VECTORS = json.loads((Path(__file__).parent / "vectors" / "a2ap_consensus.json").read_text())["reputation_6_3"][
    "vectors"
]

AUTHOR = "urn:agent:author"
POLICY = ConsensusPolicy(seeds=frozenset(f"urn:agent:op-{number}" for number in range(1, 6)))
SOURCE, SUFFICIENCY, LOGIC = POLICY.criteria


def judge(operator: int, verdict: Verdict = Verdict.VALIDATED, confidence: float = 0.95, **others: Any) -> Judgement:
    """A verdict of the one agent of an operator, on all criteria."""
    status = PASS if verdict is Verdict.VALIDATED else FAIL
    findings = tuple((criterion, status, confidence) for criterion in POLICY.criteria)
    operators = frozenset({f"urn:agent:op-{operator}"})
    return replace(
        Judgement(f"urn:agent:v-{operator}", operators, verdict, confidence, findings, log_index=operator), **others
    )


def label(*judgements: Judgement, gate: GateState = GateState.OPEN) -> dict[str, VerdictLabel]:
    found = label_verdicts(
        judgements, author=AUTHOR, author_operators=frozenset({"urn:agent:op-9"}), gate=gate, policy=POLICY
    )
    return {name.removeprefix("urn:agent:v-"): value for name, value in found.items()}


CHALLENGE = Verdict.CHALLENGED


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_the_literal_method_gives_the_reputations_of_section_6_3(vector: dict[str, Any]) -> None:
    verdicts = [(Verdict(edge["verdict"]), edge["statement_consensus"]) for edge in vector["verified_edges"]]
    expected = vector["reputation"] if isinstance(vector["reputation"], float) else None
    assert literal_reputation(verdicts) == expected
    assert literal_reputation(iter(verdicts)) == expected


def test_without_an_accurate_verdict_the_literal_reputation_stays_or_is_zero_and_says_so() -> None:
    challenger = [(CHALLENGE, 0.1), (Verdict.VALIDATED, None)]
    kept, none = compute_literal_reputation(challenger, 0.85), compute_literal_reputation(iter(challenger))
    assert (kept.value, none.value) == (0.85, 0.0)
    assert "the previous one stays" in kept.reason
    assert "there was none" in none.reason
    assert (none.right, none.wrong, none.interval95) == (0, 2, None)
    assert compute_literal_reputation([(Verdict.VALIDATED, 0.8), *challenger]).reason == ""


def test_an_agent_that_nobody_could_judge_has_the_prior() -> None:
    reputation = compute_reputation(0, 0)
    assert reputation.value == PRIOR_REPUTATION
    assert reputation.interval95 == pytest.approx((0.025, 0.975))
    assert reputation.reason == "No verdict of this agent has been judged yet."


def test_more_right_verdicts_make_a_higher_and_a_narrower_reputation() -> None:
    few, many = compute_reputation(3, 1), compute_reputation(300, 100)
    assert few.value == pytest.approx(4 / 6)
    assert few.reason == ""
    assert few.interval95 is not None and many.interval95 is not None
    assert few.interval95[0] < many.interval95[0] < 0.75 < many.interval95[1] < few.interval95[1]


def test_a_negative_count_is_refused() -> None:
    with pytest.raises(ValueError, match="-1 right"):
        compute_reputation(-1, 0)


@given(st.integers(0, 1_000_000), st.integers(0, 1_000_000))
@example(0, 1_000_000)
@example(1_000_000, 1)
@example(10_000_000, 10_000_000)
def test_the_interval_is_that_of_the_beta_distribution(right: int, wrong: int) -> None:
    expected = beta.ppf([0.025, 0.975], 1 + right, 1 + wrong)
    reputation = compute_reputation(right, wrong)
    assert reputation.interval95 is not None
    assert reputation.interval95 == pytest.approx(expected, abs=1e-9)
    assert reputation.interval95[0] <= reputation.value <= reputation.interval95[1]


@given(st.integers(0, 1000), st.integers(0, 1000), st.integers(0, 50), st.integers(0, 50), st.booleans())
def test_without_a_verdict_a_reputation_is_what_the_others_give(
    right: int, wrong: int, others_right: int, others_wrong: int, is_right: bool
) -> None:
    others = Record(others_right, others_wrong)
    whole = compute_reputation(right + is_right, wrong + (not is_right), others)
    left = compute_reputation(right, wrong, others)
    without = without_verdict(whole, right=is_right)
    assert without == pytest.approx(left.value)
    assert without is not None and (whole.value > without) is is_right


def test_where_nothing_is_left_no_part_can_be_taken_out() -> None:
    assert without_verdict(compute_reputation(0, 1), right=True) is None
    one = compute_literal_reputation([(Verdict.VALIDATED, 0.9)])
    assert without_verdict(one, right=True) is None
    more = compute_literal_reputation([(Verdict.VALIDATED, 0.9), (CHALLENGE, 0.1), (Verdict.VALIDATED, 0.8)])
    assert (without_verdict(more, right=True), without_verdict(more, right=False)) == (0.5, 1.0)


def test_without_a_criterion_an_estimate_is_that_of_the_others() -> None:
    agent = "urn:agent:v-1"
    good, poor = (
        Estimate(agent=agent, criterion=name, sensitivity=pair, specificity=pair, judged=9, independence=1.0)
        for name, pair in ((SOURCE, (9.0, 1.0)), (LOGIC, (5.0, 5.0)))
    )
    found = reputation_from(ReliabilityTable(9, {(agent, one.criterion): one for one in (good, poor)}), 3, 1)
    assert without_criterion(found, LOGIC) == pytest.approx(0.9)
    assert without_criterion(found, SOURCE) == pytest.approx(0.5)
    alone = reputation_from(ReliabilityTable(9, {(agent, SOURCE): good}), 3, 1)
    assert without_criterion(alone, SOURCE) is None
    assert without_verdict(alone, right=True) is None


@pytest.mark.parametrize(
    ("found", "sentence"),
    [
        ({"independence": 1.0}, ""),
        ({"independence": 0.5}, "Under logical-consistency its verdicts weigh 0.5000 of their full weight."),
        (
            {"independence": 0.5, "copies": "urn:agent:w"},
            "Under logical-consistency its verdicts weigh 0.5000 of their full weight: it repeats urn:agent:w.",
        ),
        (
            {
                "independence": 0.125,
                "copies": "urn:agent:w",
                "copied": CopyEvidence(40, 2, 8.0),
                "coalition": 0.5,
            },
            "Under logical-consistency its verdicts weigh 0.1250 of their full weight: of 40 claims that urn:agent:w "
            "has judged as well it differs on 2, where 8.0 are to be expected, and gold tells that it lies together "
            "with others, which takes 0.5000.",
        ),
    ],
)
def test_a_reputation_says_why_verdicts_weigh_less(found: dict[str, Any], sentence: str) -> None:
    agent, pair = "urn:agent:v-1", (9.0, 1.0)
    one = Estimate(agent=agent, criterion=LOGIC, sensitivity=pair, specificity=pair, judged=9, **found)
    assert reputation_from(ReliabilityTable(9, {(agent, LOGIC): one}), 3, 1).reason == sentence


@given(st.floats(1e-6, 1 - 1e-6), st.floats(1, 1000), st.floats(1, 1000))
def test_a_quantile_gives_its_probability_back(probability: float, a: float, b: float) -> None:
    assert beta.cdf(beta_quantile(probability, a, b), a, b) == pytest.approx(probability, abs=1e-7)


def test_verdicts_are_judged_by_the_others() -> None:
    assert label(judge(1), judge(2), judge(3)) == {"1": RIGHT, "2": RIGHT, "3": RIGHT}
    assert label(judge(1), judge(2), judge(3), judge(4, CHALLENGE)) == {"4": WRONG}
    challenged = label(judge(1), *(judge(number, CHALLENGE) for number in (2, 3, 4)))
    assert challenged == {"1": WRONG}


def test_a_rightful_challenge_is_right() -> None:
    assert label(judge(1, CHALLENGE), judge(2, CHALLENGE), judge(3, CHALLENGE)) == {"1": RIGHT, "2": RIGHT, "3": RIGHT}


def test_two_operators_alone_label_nothing() -> None:
    assert label(judge(1), judge(2)) == {}
    assert label(judge(1), judge(2, CHALLENGE)) == {}


def test_two_agents_of_one_operator_do_not_judge_each_other() -> None:
    twin = judge(1, verifier="urn:agent:v-1b")
    assert label(judge(1), twin, judge(2)) == {}
    assert label(judge(1), twin, judge(2), judge(3)) == dict.fromkeys(("1", "1b", "2", "3"), RIGHT)


def test_a_colleague_endorsed_by_two_operators_judges_the_agents_of_neither() -> None:
    both = judge(1, operators=frozenset({"urn:agent:op-1", "urn:agent:op-3"}))
    assert label(both, judge(2), judge(3)) == {"2": RIGHT}


def test_where_the_machine_failed_the_evidence_a_challenge_was_right_and_a_validation_wrong() -> None:
    found = label(judge(1), judge(2), judge(3, CHALLENGE), gate=GateState.CLOSED)
    assert found == {"1": WRONG, "2": WRONG, "3": RIGHT}
    assert label(judge(1), gate=GateState.OPEN) == label(judge(1), gate=GateState.UNKNOWN) == {}


def test_a_verdict_is_judged_on_what_it_answers() -> None:
    narrow = judge(1, findings=((SOURCE, PASS, 0.95),))
    others = [judge(number, CHALLENGE, findings=((LOGIC, FAIL, 1.0),)) for number in (2, 3)]
    assert label(narrow, *others) == {}
    assert label(judge(1), *others) == {"1": WRONG}
    assert label(narrow, judge(2), judge(3))["1"] is RIGHT


def test_a_verdict_is_wrong_if_one_of_its_answers_is() -> None:
    passing = [judge(number, findings=((SOURCE, PASS, 0.95),), log_index=1) for number in (2, 3)]
    faulting = [judge(number, CHALLENGE, findings=((LOGIC, FAIL, 1.0),), log_index=2) for number in (2, 3)]
    assert label(judge(1, findings=((SOURCE, PASS, 0.9),)), *passing, *faulting)["1"] is RIGHT
    assert label(judge(1), *passing, *faulting)["1"] is WRONG


@pytest.mark.parametrize(
    "judgement",
    [
        judge(1, verifier=AUTHOR),
        judge(1, operators=frozenset({"urn:agent:op-9"})),
        judge(1, binds=False),
        judge(1, machine=True),
        judge(1, Verdict.INSUFFICIENT_EVIDENCE, findings=()),
    ],
)
@pytest.mark.parametrize("gate", list(GateState))
def test_a_verdict_that_consensus_ignores_earns_nothing(judgement: Judgement, gate: GateState) -> None:
    assert judgement.verifier not in label_verdicts(
        [judgement, judge(2), judge(3)],
        author=AUTHOR,
        author_operators=frozenset({"urn:agent:op-9"}),
        gate=gate,
        policy=POLICY,
    )


def test_only_the_verdict_that_stands_is_judged() -> None:
    changed = [judge(1, CHALLENGE, log_index=0), judge(1, log_index=9)]
    assert label(*changed, judge(2), judge(3))["1"] is RIGHT
    assert label(*reversed(changed), judge(2), judge(3))["1"] is RIGHT


def test_strangers_label_nobody_and_are_labelled() -> None:
    strangers = [judge(number, CHALLENGE, 1.0) for number in range(10, 30)]
    assert label(judge(1), *strangers) == {}
    judged = label(judge(1), judge(2), judge(3), *strangers[:1])
    assert judged == {"1": RIGHT, "2": RIGHT, "3": RIGHT, "10": WRONG}


def test_strangers_do_not_judge_each_other() -> None:
    seeded = (judge(1, confidence=0.85), judge(2, confidence=0.85))
    assert label(*seeded, judge(10), judge(11, CHALLENGE, 1.0)) == {"10": RIGHT, "11": WRONG}


def test_a_stranger_is_not_judged_by_the_one_that_endorsed_it() -> None:
    endorsee = judge(10, CHALLENGE, operators=frozenset({"urn:agent:v-1"}))
    assert "10" not in label(judge(1), judge(2), endorsee)
    assert label(judge(1), judge(2), judge(3), endorsee)["10"] is WRONG
