"""The posterior: the pair of §8, and what no set of verdicts may do to it within an epoch."""

from dataclasses import replace
from functools import partial
from math import log
from random import Random
from typing import Any

import pytest
from cost import calls_of
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import polygamma

from a2ap.messages.epoch import CriterionModel, Estimate, OperatorRecord
from a2ap.messages.finding import FindingStatus
from a2ap.messages.policy import ConsensusMethod
from a2ap.messages.priors import Priors
from a2ap.messages.verification_response import Verdict
from graph.scoring.beta import trigamma
from graph.scoring.consensus import Consensus, GateState, compute_consensus, explain_consensus
from graph.scoring.posterior import Knowledge, Observation
from graph.scoring.reliabilities import ReliabilityTable
from graph.scoring.votes import ConsensusPolicy, Judgement

PASS, FAIL, INCONCLUSIVE = FindingStatus.PASS, FindingStatus.FAIL, FindingStatus.INCONCLUSIVE
AUTHOR = "urn:agent:author"
SEEDS = frozenset({"urn:agent:op-1", "urn:agent:op-2", "urn:agent:op-3"})
POLICY = ConsensusPolicy(seeds=SEEDS)
SOURCE, SUFFICIENCY, LOGIC = POLICY.criteria


def seed(number: int) -> frozenset[str]:
    return frozenset({f"urn:agent:op-{number}"})


def judge(
    name: str,
    operators: frozenset[str] = frozenset(),
    verdict: Verdict = Verdict.VALIDATED,
    confidence: float = 0.89,
    findings: dict[str, tuple[FindingStatus, float]] | None = None,
    **others: Any,
) -> Judgement:
    """A verdict on all criteria of the policy, unless the findings are given."""
    if findings is None:
        findings = dict.fromkeys(POLICY.criteria, (PASS, confidence)) if verdict is Verdict.VALIDATED else {}
    told = tuple((criterion, status, sure) for criterion, (status, sure) in findings.items())
    return replace(
        Judgement(f"urn:agent:{name}", operators, verdict, confidence, told, log_index=len(name)),
        **others,
    )


def weigh(
    *judgements: Judgement,
    policy: ConsensusPolicy = POLICY,
    gate: GateState = GateState.OPEN,
    author_operators: frozenset[str] = frozenset({"urn:agent:op-9"}),
    knowledge: Knowledge | None = None,
) -> Consensus:
    return compute_consensus(
        judgements,
        author=AUTHOR,
        author_operators=author_operators,
        gate=gate,
        policy=policy,
        knowledge=knowledge or Knowledge(),
    )


def explain(*judgements: Judgement, **others: Any) -> Consensus:
    values: dict[str, Any] = {"gate": GateState.OPEN, "policy": POLICY, "knowledge": Knowledge(), **others}
    return explain_consensus(judgements, author=AUTHOR, author_operators=frozenset({"urn:agent:op-9"}), **values)


def estimated(agent: str, right: float, wrong: float, independence: float = 1.0) -> list[Estimate]:
    name = f"urn:agent:{agent}"
    return [
        Estimate(name, criterion, (right, wrong), (right, wrong), int(right + wrong), independence)
        for criterion in POLICY.criteria
    ]


def table(*estimates: list[Estimate], calibration: tuple[tuple[float, float], ...] = ()) -> Knowledge:
    found = {(one.agent, one.criterion): one for own in estimates for one in own}
    return Knowledge(ReliabilityTable(100, found, calibration))


PAIR = (judge("a", seed(1)), judge("bb", seed(2)))


def test_a_seeded_pair_scores_what_section_8_gives_as_its_example() -> None:
    consensus = weigh(*PAIR)
    assert consensus.published == "0.9099"
    assert consensus.verified
    assert consensus.method is ConsensusMethod.POSTERIOR


def test_the_log_odds_of_independent_verdicts_are_added() -> None:
    score = weigh(*PAIR).score
    assert log(score / (1 - score)) == pytest.approx(2 * 0.89 * log(11 / 3))


def test_without_a_pass_the_score_is_zero_and_the_criteria_show_their_prior() -> None:
    consensus = weigh()
    assert (consensus.score, consensus.interval) == (0.0, None)
    assert [entry.score for entry in consensus.per_criterion] == [0.5] * 3
    assert weigh(judge("a", seed(1), Verdict.CHALLENGED)).score == 0.0


def test_a_seed_itself_counts_more_than_whom_it_vouches_for() -> None:
    assert weigh(judge("op-1"), judge("op-2")).score > weigh(*PAIR).score


def test_a_challenge_of_a_third_operator_takes_back_what_one_of_the_pair_gave() -> None:
    fails = {criterion: (FAIL, 0.89) for criterion in POLICY.criteria}
    challenged = weigh(*PAIR, judge("ccc", seed(3), Verdict.CHALLENGED, findings=fails))
    assert challenged.score == pytest.approx(weigh(PAIR[0]).score)


def test_an_epoch_says_what_a_verdict_weighs() -> None:
    better, worse = table(estimated("a", 90, 2)), table(estimated("a", 11, 10))
    assert weigh(*PAIR, knowledge=better).score > weigh(*PAIR).score > weigh(*PAIR, knowledge=worse).score
    assert weigh(*PAIR, knowledge=better).epoch == 100


def test_a_verifier_that_is_worse_than_chance_says_nothing_and_never_the_contrary() -> None:
    liar = table(estimated("a", 1, 50))
    assert weigh(*PAIR, knowledge=liar).score == weigh(PAIR[1]).score


def test_no_verdict_says_more_than_99_to_1() -> None:
    assert weigh(judge("a", seed(1), confidence=1.0), knowledge=table(estimated("a", 9e5, 1e-3))).score == 0.99


def test_a_copy_weighs_what_is_left_of_its_independence() -> None:
    whole, half, nothing = (weigh(*PAIR, knowledge=table(estimated("bb", 11, 3, share))) for share in (1.0, 0.5, 0.0))
    assert whole.score == weigh(*PAIR).score > half.score > nothing.score == weigh(PAIR[0]).score


def learnt(model: CriterionModel, *records: OperatorRecord) -> Knowledge:
    """Return what an epoch has learnt, the same under each criterion."""
    return Knowledge(
        ReliabilityTable(
            100,
            models={name: replace(model, criterion=name) for name in POLICY.criteria},
            records={(one.operator, name): replace(one, criterion=name) for one in records for name in POLICY.criteria},
        )
    )


def test_an_operators_record_stands_for_all_its_verifiers() -> None:
    model = CriterionModel("", (0.5,), (0.5,), 0.0)
    record = OperatorRecord("urn:agent:op-1", "", (((18.0, 2.0), (16.0, 4.0)),))
    for name in ("a", "fresh"):
        score = weigh(judge(name, seed(1)), knowledge=learnt(model, record)).score
        assert log(score / (1 - score)) == pytest.approx(0.89 * log(0.9 / 0.2))


def test_two_levels_of_difficulty_are_weighed_by_their_shares() -> None:
    model = CriterionModel("", (0.3, 0.2), (0.4, 0.1), 0.0)
    record = OperatorRecord("urn:agent:op-1", "", (((9.0, 1.0), (8.0, 2.0)), ((6.0, 4.0), (5.0, 5.0))))
    score = weigh(judge("a", seed(1), confidence=1.0), knowledge=learnt(model, record)).score
    right, wrong = 0.3 * 0.9 + 0.2 * 0.6, 0.4 * 0.2 + 0.1 * 0.5
    assert score == pytest.approx(right / (right + wrong))


def test_common_errors_draw_a_score_towards_one_half() -> None:
    even = CriterionModel("", (0.5,), (0.5,), 0.1)
    assert weigh(*PAIR, knowledge=learnt(even)).score == pytest.approx(0.1 + 0.8 * weigh(*PAIR).score)


def test_a_newcomer_is_no_better_than_the_epoch_says() -> None:
    model = CriterionModel("", (0.5,), (0.5,), 0.0, 0.7)
    score = weigh(PAIR[0], knowledge=learnt(model)).score
    assert log(score / (1 - score)) == pytest.approx(0.89 * log(0.7 / 0.3))
    best = weigh(PAIR[0], knowledge=learnt(replace(model, newcomer=0.9)))
    assert best.score == weigh(PAIR[0]).score


def test_that_most_claims_are_right_raises_a_score_and_verifies_nothing() -> None:
    unsure = tuple(replace(one, findings=tuple((n, s, 0.46) for n, s, _ in one.findings)) for one in PAIR)
    low = replace(POLICY, threshold=0.8)
    found = weigh(*unsure, policy=low, knowledge=learnt(CriterionModel("", (0.9,), (0.1,), 0.0)))
    carried = found.per_criterion[0].carried
    assert carried is not None and found.score > low.threshold > carried
    assert not found.verified
    assert "from even odds, below 0.8000" in found.reasons[0]


def test_two_operators_do_not_verify_a_claim_that_as_many_fail() -> None:
    fails = {criterion: (FAIL, 0.5) for criterion in POLICY.criteria}
    strong = learnt(
        CriterionModel("", (0.5,), (0.5,), 0.0),
        *(OperatorRecord(f"urn:agent:op-{number}", "", (((99.0, 1.0), (99.0, 1.0)),)) for number in (1, 2)),
    )
    policy = replace(POLICY, seeds=SEEDS | {"urn:agent:op-4"})
    one, two = (judge("ccc", seed(number), Verdict.CHALLENGED, findings=fails) for number in (3, 4))
    two = replace(two, verifier="urn:agent:dddd")
    assert weigh(*PAIR, one, policy=policy, knowledge=strong).verified
    both = weigh(*PAIR, one, two, policy=policy, knowledge=strong)
    assert both.score > policy.threshold and not both.verified
    assert "is passed by fewer than two operators for each one that fails it (2)" in both.reasons[0]


WELL, BADLY = ((18.0, 2.0), (15.0, 5.0)), ((3.0, 17.0), (4.0, 16.0))
NOTHING = ((5.0, 5.0), (5.0, 5.0))


@pytest.mark.parametrize(
    ("rates", "known", "tested", "verified"),
    [
        (WELL, WELL, (1,), False),  # one tested operator passes it, and one fails it
        (NOTHING, WELL, (1,), False),  # the same with an estimate in which its FAIL says nothing
        (WELL, WELL, (1, 2), True),
        (WELL, None, (1,), True),
        (WELL, BADLY, (1,), True),
        (WELL, ((18.0, 2.0), (3.0, 0.0)), (1,), True),  # three answers to wrong claims are too few
    ],
)
def test_the_untested_do_not_outvote_the_tested(rates, known, tested, verified: bool) -> None:
    fails = {criterion: (FAIL, 0.89) for criterion in POLICY.criteria}
    strong = ((99.0, 1.0), (99.0, 1.0))
    knowledge = learnt(
        CriterionModel("", (0.5,), (0.5,), 0.0),
        *(OperatorRecord(f"urn:agent:op-{one}", "", (strong,), WELL if one in tested else None) for one in (1, 2)),
        OperatorRecord("urn:agent:op-3", "", (rates,), known),
    )
    found = weigh(*PAIR, judge("ccc", seed(3), Verdict.CHALLENGED, findings=fails), knowledge=knowledge)
    assert found.score > POLICY.threshold and found.verified is verified
    assert verified or "is failed by operators that known claims have tested" in found.reasons[0]


@pytest.mark.parametrize("verifier", ["a", "another"])
@pytest.mark.parametrize("retracted", [False, True])
def test_a_pass_of_an_operator_that_failed_the_claim_before_outvotes_nobody(verifier: str, retracted: bool) -> None:
    fails = {criterion: (FAIL, 0.5) for criterion in POLICY.criteria}
    before = replace(judge(verifier, seed(1), Verdict.CHALLENGED, findings=fails), log_index=1, retracted=retracted)
    taken_back = replace(judge(verifier, seed(1), Verdict.INSUFFICIENT_EVIDENCE), log_index=2)
    one, two = (replace(judgement, log_index=3) for judgement in PAIR)
    challenge = replace(judge("ccc", seed(3), Verdict.CHALLENGED, findings=fails), log_index=4)
    strong = learnt(
        CriterionModel("", (0.5,), (0.5,), 0.0),
        *(OperatorRecord(f"urn:agent:op-{number}", "", (((99.0, 1.0), (99.0, 1.0)),)) for number in (1, 2)),
    )
    assert weigh(one, two, challenge, knowledge=strong).verified
    changed = weigh(before, taken_back, one, two, challenge, knowledge=strong)
    assert changed.score == weigh(one, two, challenge, knowledge=strong).score
    assert not changed.verified
    assert weigh(before, taken_back, one, two, knowledge=strong).verified
    later = replace(judge("another", seed(1), Verdict.CHALLENGED, findings=fails), log_index=5, retracted=True)
    assert weigh(one, two, challenge, later, knowledge=strong).verified


def test_an_operator_whose_verifiers_are_divided_is_on_both_sides() -> None:
    fails = {criterion: (FAIL, 0.89) for criterion in POLICY.criteria}
    challenge = judge("ccc", seed(1), Verdict.CHALLENGED, findings=fails)
    found = weigh(*PAIR, challenge).per_criterion
    assert {(entry.contested_by, entry.is_contested) for entry in found} == {(tuple(seed(1)), False)}
    alone = weigh(PAIR[1], challenge).per_criterion
    assert {entry.is_contested for entry in alone} == {True}


def test_a_confidence_weighs_what_the_calibration_makes_of_it() -> None:
    points = ((0.0, 0.0), (0.8, 0.4), (1.0, 1.0))
    knowledge = table(calibration=points)
    assert knowledge.table.weight_of(0.4) == pytest.approx(0.2)
    assert knowledge.table.weight_of(0.9) == pytest.approx(0.7)
    assert ReliabilityTable(calibration=((0.5, 0.3),)).weight_of(0.9) == 0.3
    assert weigh(*PAIR, knowledge=knowledge).score < weigh(*PAIR).score


@pytest.mark.parametrize(
    ("second", "knowledge"),
    [
        (judge("bb", seed(2), confidence=0.0), Knowledge()),
        (judge("bb", seed(2), confidence=5e-324), Knowledge()),
        (judge("bb", seed(2)), table(estimated("bb", 1, 50))),
        (judge("bb", seed(2)), table(estimated("bb", 11, 3, 0.07))),
    ],
    ids=["is not sure", "is hardly sure", "says the contrary", "repeats another"],
)
def test_a_voice_that_says_nothing_is_no_second_operator(second: Judgement, knowledge: Knowledge) -> None:
    low = replace(POLICY, threshold=0.6)
    together = weigh(judge("a", seed(1)), second, policy=low, knowledge=knowledge)
    assert together.score >= low.threshold and not together.verified
    assert {entry.operators_for for entry in together.per_criterion} == {tuple(seed(1))}
    assert weigh(*PAIR, policy=low).verified


def test_operators_of_one_family_of_models_are_not_independent() -> None:
    names = ("urn:agent:a", "urn:agent:bb")
    together = weigh(*PAIR, knowledge=Knowledge(families=dict.fromkeys(names, "some model")))
    apart = weigh(*PAIR, knowledge=Knowledge(families={names[0]: "one model", names[1]: "another"}))
    assert weigh(PAIR[0]).score < together.score < apart.score == weigh(*PAIR).score
    odds = 1.5 * 0.89 * log(11 / 3)
    assert log(together.score / (1 - together.score)) == pytest.approx(odds)
    assert all(entry.quorum_met for entry in together.per_criterion)


def test_a_thousand_keys_of_one_operator_weigh_as_one() -> None:
    crowd = [judge(f"key-{number:04d}", seed(1)) for number in range(1000)]
    families = {one.verifier: f"model {number}" for number, one in enumerate(crowd)}
    for knowledge in (Knowledge(), Knowledge(families=families)):
        consensus = weigh(*crowd, knowledge=knowledge)
        assert consensus.score == weigh(judge("a", seed(1))).score
        assert not consensus.verified


def test_five_fresh_agents_of_no_operator_do_not_carry_a_claim_over_the_threshold() -> None:
    for beside in ((), (judge("a", seed(1), confidence=0.6),)):
        consensus = weigh(*beside, *(judge(f"fresh-{number}", confidence=1.0) for number in range(5)))
        assert consensus.score < POLICY.threshold
        assert not consensus.verified


def test_a_score_held_below_the_threshold_looks_held_in_four_decimals() -> None:
    below = judge("a", seed(1), confidence=0.65)
    assert weigh(below).score < 0.7
    crowd = [judge("stranger", confidence=1.0)]
    knowledge = table(estimated("stranger", 99, 1))
    assert weigh(below, *crowd, knowledge=knowledge).published == "0.6999"


def test_the_machines_fail_is_an_answer_and_not_a_vote() -> None:
    consensus = weigh(*PAIR, gate=GateState.CLOSED)
    assert consensus.score == 0.0
    assert [(entry.criterion, entry.score) for entry in consensus.per_criterion if entry.observed] == [(SOURCE, 0.0)]
    assert consensus.reasons[0] == (
        "source-accuracy does not hold: the machine found that the evidence is not as stated."
    )


def test_an_answer_of_the_operators_is_the_score_of_its_criterion() -> None:
    knowledge = Knowledge(observed={LOGIC: Observation(True, "gold label 1 of the operator")})
    first, second, third = weigh(PAIR[0], knowledge=knowledge).per_criterion
    assert (third.score, third.interval, third.observed) == (1.0, (1.0, 1.0), "gold label 1 of the operator")
    assert second.observed == ""
    assert first.score == second.score < 1.0
    wrong = Knowledge(observed={LOGIC: Observation(False, "gold label 1 of the operator")})
    assert weigh(*PAIR, knowledge=wrong).score == 0.0


def test_the_interval_holds_the_score_and_narrows_with_what_is_known_of_the_verifiers() -> None:
    few, many = weigh(*PAIR), weigh(*PAIR, knowledge=table(estimated("a", 1100, 300), estimated("bb", 1100, 300)))
    assert few.score == pytest.approx(many.score)
    assert few.interval is not None
    assert many.interval is not None
    assert few.interval[0] < many.interval[0] < many.score < many.interval[1] < few.interval[1]


def test_each_verifiers_contribution_is_what_the_score_would_be_without_it() -> None:
    fails = {criterion: (FAIL, 0.89) for criterion in POLICY.criteria}
    challenge = judge("ccc", seed(3), Verdict.CHALLENGED, findings=fails)
    again = judge("dddd", seed(1), confidence=0.5)
    found = {one.verifier: one.without for one in explain(*PAIR, challenge, again).contributions}
    assert found == {
        "urn:agent:a": weigh(PAIR[1], challenge, again).score,
        "urn:agent:bb": weigh(PAIR[0], challenge, again).score,
        "urn:agent:ccc": weigh(*PAIR, again).score,
        "urn:agent:dddd": weigh(*PAIR, challenge).score,
    }
    assert found["urn:agent:dddd"] == explain(*PAIR, challenge, again).score


def test_each_verdict_says_how_it_was_read() -> None:
    wanting = judge("ccc", seed(3), Verdict.INSUFFICIENT_EVIDENCE, findings={LOGIC: (FAIL, 0.8), SOURCE: (PASS, 1.0)})
    own = judge("author", seed(1), log_index=9)
    readings = {reading.verifier: reading for reading in weigh(*PAIR, wanting, own).readings}
    assert readings["urn:agent:a"].stands == POLICY.criteria
    assert readings["urn:agent:author"].ignored == "the author's own verdict"
    assert dict((name, status) for name, status, _ in readings["urn:agent:ccc"].answers) == {
        SOURCE: INCONCLUSIVE,
        SUFFICIENCY: INCONCLUSIVE,
        LOGIC: FAIL,
    }
    assert "only a FAIL counts" in readings["urn:agent:ccc"].meaning


def test_the_methods_for_comparison_count_verifiers() -> None:
    crowd = [judge(f"key-{number}") for number in range(3)]
    challenge = judge("doubt", seed(1), Verdict.CHALLENGED, findings={LOGIC: (FAIL, 1.0)})
    majority = weigh(*crowd, challenge, policy=replace(POLICY, method="majority"))
    assert (majority.score, majority.method) == (0.75, ConsensusMethod.MAJORITY)
    skills = Knowledge(skills={"urn:agent:doubt": 1.0, **{one.verifier: 0.25 for one in crowd}})
    assert weigh(*crowd, challenge, policy=replace(POLICY, method="wawa"), knowledge=skills).score == pytest.approx(
        3 / 7
    )


# Whatever is submitted.

NAMES = st.sampled_from(["a", "b", "c", "d", "e", "f", "author", "op-1", "op-2"])
SHARES = st.sampled_from([0.0, 0.1, 0.5, 0.7, 0.9, 1.0]) | st.floats(0, 1)
OPERATORS = st.frozensets(st.sampled_from([*sorted(SEEDS), "urn:agent:op-9", "urn:agent:other", AUTHOR]), max_size=2)
COUNTS = st.sampled_from([1e-4, 0.5, 1.0, 3.0, 40.0]) | st.floats(1e-4, 1e5)
PAIRS = st.tuples(COUNTS, COUNTS)
FINDINGS = st.dictionaries(
    st.sampled_from([*POLICY.criteria, "quote-exactness"]),
    st.tuples(st.sampled_from(FindingStatus), SHARES),
    max_size=4,
)


@st.composite
def judgements(draw: st.DrawFn, names: st.SearchStrategy[str] = NAMES) -> Judgement:
    return judge(
        draw(names),
        draw(OPERATORS),
        draw(st.sampled_from(Verdict)),
        draw(SHARES),
        draw(FINDINGS),
        log_index=draw(st.integers(0, 5)),
        binds=draw(st.sampled_from([True, True, True, False])),
        machine=draw(st.sampled_from([False, False, False, True])),
        retracted=draw(st.sampled_from([False, False, False, True])),
    )


SHARES_OF_LEVELS = st.sampled_from([1e-4, 0.25, 0.5, 1.0])


def models_of(criterion: str) -> st.SearchStrategy[CriterionModel]:
    """Return models of a criterion with one level of difficulty or two."""
    errors, newcomers = st.sampled_from([0.0, 0.1, 0.5]), st.sampled_from([1e-4, 0.5, 0.7, 1.0])
    one, two = (st.tuples(*[SHARES_OF_LEVELS] * levels) for levels in (1, 2))
    return st.builds(CriterionModel, st.just(criterion), one, one, errors, newcomers) | st.builds(
        CriterionModel, st.just(criterion), two, two, errors, newcomers
    )


@st.composite
def knowledges(draw: st.DrawFn) -> Knowledge:
    agents = st.sampled_from([f"urn:agent:{name}" for name in ("a", "b", "c", "op-1", "newcomer", "sybil-1")])
    estimates = draw(
        st.dictionaries(st.tuples(agents, st.sampled_from(POLICY.criteria)), st.tuples(PAIRS, PAIRS, SHARES))
    )
    shares = sorted(draw(st.lists(SHARES, max_size=3)))
    sure = sorted(draw(st.lists(SHARES, min_size=len(shares), max_size=len(shares), unique=True)))
    models = {name: model for name in POLICY.criteria if (model := draw(st.none() | models_of(name))) is not None}
    records = [
        OperatorRecord(
            operator,
            name,
            draw(st.tuples(*[st.tuples(PAIRS, PAIRS)] * len(model.right))),
            draw(st.none() | st.tuples(PAIRS, PAIRS)),
        )
        for name, model in models.items()
        for operator in draw(st.lists(st.sampled_from(sorted(SEEDS)), unique=True))
    ]
    return Knowledge(
        ReliabilityTable(
            7,
            {key: Estimate(*key, *found[:2], 3, found[2]) for key, found in estimates.items()},
            tuple(zip(sure, shares, strict=True)),
            models,
            {(one.operator, one.criterion): one for one in records},
        ),
        families=draw(st.dictionaries(agents, st.sampled_from(["model", "another"]))),
        observed=draw(
            st.dictionaries(
                st.sampled_from(POLICY.criteria), st.builds(Observation, st.booleans(), st.just("gold")), max_size=1
            )
        ),
    )


CROWDS = st.lists(judgements(), max_size=8)
# Every verifier once, so that nobody is superseded and what is added is added.
DISTINCT_CROWDS = st.lists(judgements(), max_size=8, unique_by=lambda judgement: judgement.verifier)
GATES = st.sampled_from(GateState)
PRIORS = st.builds(
    Priors,
    claim=PAIRS,
    trusted=PAIRS,
    endorsed=PAIRS,
    unknown=PAIRS,
    family_correlation=SHARES,
)
POLICIES = st.builds(
    ConsensusPolicy,
    threshold=SHARES,
    quorum=st.integers(-1, 3),
    seeds=st.frozensets(st.sampled_from(sorted(SEEDS))),
    method=st.just(ConsensusMethod.POSTERIOR),
    criteria=st.lists(st.sampled_from(POLICY.criteria), unique=True).map(tuple),
    unseeded_weight=SHARES,
    priors=PRIORS,
)


@given(CROWDS, POLICIES, GATES, knowledges())
def test_a_score_is_a_probability_within_its_interval(crowd, policy, gate, knowledge) -> None:
    consensus = explain(*crowd, policy=policy, gate=gate, knowledge=knowledge)
    assert 0.0 <= consensus.score <= 1.0
    for entry in consensus.per_criterion:
        assert entry.interval is not None
        assert 0.0 <= entry.interval[0] <= entry.score <= entry.interval[1] <= 1.0
    assert all(0.0 <= one.without <= 1.0 for one in consensus.contributions)
    assert consensus.verified or consensus.reasons


@given(CROWDS, POLICIES, GATES, knowledges(), st.sampled_from(ConsensusMethod))
def test_what_a_verifier_contributes_is_what_the_others_would_not_score(crowd, policy, gate, knowledge, method) -> None:
    policy = replace(policy, method=method)
    knowledge = replace(knowledge, skills={"urn:agent:a": 0.9, "urn:agent:b": 0.1, "urn:agent:c": 0.0})
    found = explain(*crowd, policy=policy, gate=gate, knowledge=knowledge)
    for one in found.contributions:
        others = [judgement for judgement in crowd if judgement.verifier != one.verifier]
        assert one.without == weigh(*others, policy=policy, gate=gate, knowledge=knowledge).score


@pytest.mark.parametrize("method", [method for method in ConsensusMethod if method is not ConsensusMethod.LITERAL])
def test_contributions_to_a_statement_with_many_verdicts_cost_about_what_its_score_costs(method) -> None:
    seeds = frozenset(f"urn:agent:op-{number}" for number in range(1500))
    policy = replace(POLICY, seeds=seeds, method=method)
    crowd = [
        judge(f"v{number}", frozenset({f"urn:agent:op-{number}"}), confidence=number / 1500) for number in range(1500)
    ]
    knowledge = Knowledge(families={one.verifier: "model" for one in crowd})
    once = partial(
        compute_consensus,
        crowd,
        author=AUTHOR,
        author_operators=frozenset(),
        gate=GateState.OPEN,
        policy=policy,
        knowledge=knowledge,
    )
    once()
    assert calls_of(partial(explain, *crowd, policy=policy, knowledge=knowledge)) < 30 * calls_of(once)


@given(CROWDS, POLICIES, st.floats(), st.floats())
def test_no_number_raises(crowd, policy, threshold, sure) -> None:
    odd = [
        replace(judgement, confidence=sure, findings=((SOURCE, FAIL, sure), (LOGIC, PASS, sure))) for judgement in crowd
    ]
    consensus = weigh(*crowd, *odd, policy=replace(policy, threshold=threshold, unseeded_weight=sure))
    assert 0.0 <= consensus.score <= 1.0


@given(CROWDS, POLICIES, GATES, knowledges(), st.randoms(use_true_random=False))
def test_the_order_of_the_verdicts_does_not_matter(crowd, policy, gate, knowledge, random: Random) -> None:
    shuffled = crowd.copy()
    random.shuffle(shuffled)
    assert explain(*shuffled, policy=policy, gate=gate, knowledge=knowledge) == explain(
        *crowd, policy=policy, gate=gate, knowledge=knowledge
    )


@given(DISTINCT_CROWDS, judgements(st.just("newcomer")), POLICIES, GATES, knowledges())
def test_a_challenge_never_raises_a_score(crowd, newcomer, policy, gate, knowledge) -> None:
    for verdict in (Verdict.CHALLENGED, Verdict.INVALID_SIGNATURE, Verdict.INSUFFICIENT_EVIDENCE):
        before = weigh(*crowd, policy=policy, gate=gate, knowledge=knowledge)
        after = weigh(*crowd, replace(newcomer, verdict=verdict), policy=policy, gate=gate, knowledge=knowledge)
        assert after.score <= before.score
        assert after.verified <= before.verified
        for entry, earlier in zip(after.per_criterion, before.per_criterion, strict=True):
            assert entry.score <= earlier.score


@given(DISTINCT_CROWDS, judgements(st.just("newcomer")), POLICIES, GATES, knowledges())
def test_a_validation_never_lowers_a_score(crowd, newcomer, policy, gate, knowledge) -> None:
    passes = tuple((name, PASS, sure) for name, _, sure in newcomer.findings)
    validation = replace(newcomer, verdict=Verdict.VALIDATED, findings=passes)
    before = weigh(*crowd, policy=policy, gate=gate, knowledge=knowledge)
    after = weigh(*crowd, validation, policy=policy, gate=gate, knowledge=knowledge)
    assert after.score >= before.score
    assert after.verified >= before.verified
    for entry, earlier in zip(after.per_criterion, before.per_criterion, strict=True):
        assert entry.score >= earlier.score


@given(
    CROWDS, st.lists(judgements(st.integers(0, 9).map("sybil-{}".format)), max_size=6), POLICIES, GATES, knowledges()
)
def test_the_unseeded_never_make_a_claim_verified(crowd, sybils, policy, gate, knowledge) -> None:
    unseeded = [replace(sybil, operators=sybil.operators - SEEDS) for sybil in sybils]
    before = weigh(*crowd, policy=policy, gate=gate, knowledge=knowledge)
    after = weigh(*crowd, *unseeded, policy=policy, gate=gate, knowledge=knowledge)
    assert after.verified <= before.verified


@given(CROWDS, POLICIES, knowledges())
def test_the_authors_verdict_changes_nothing(crowd, policy, knowledge) -> None:
    own = judge("author", seed(1), confidence=1.0, log_index=99)
    crowd = [judgement for judgement in crowd if judgement.verifier != AUTHOR]
    with_it = explain(*crowd, own, policy=policy, knowledge=knowledge)
    assert replace(with_it, ignored=()) == replace(explain(*crowd, policy=policy, knowledge=knowledge), ignored=())


@given(st.floats(1e-4, 1e6))
def test_trigamma_is_that_of_scipy(x: float) -> None:
    assert trigamma(x) == pytest.approx(float(polygamma(1, x)), rel=1e-9)
