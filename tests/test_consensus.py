"""Consensus: the literal rule on the vectors of §4.3, and what no set of verdicts may do to `a2ap-quorum`."""

import json
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from a2ap.messages.finding import FindingStatus
from a2ap.messages.verification_response import Verdict
from graph.scoring.consensus import (
    Consensus,
    ConsensusMethod,
    ConsensusPolicy,
    GateState,
    Judgement,
    compute_consensus,
)

PASS, FAIL, INCONCLUSIVE = FindingStatus.PASS, FindingStatus.FAIL, FindingStatus.INCONCLUSIVE
VECTORS = json.loads((Path(__file__).parent / "vectors" / "a2ap_consensus.json").read_text())["consensus"]["vectors"]

AUTHOR = "urn:agent:author"
SEEDS = frozenset({"urn:agent:op-1", "urn:agent:op-2", "urn:agent:op-3"})
POLICY = ConsensusPolicy(seeds=SEEDS, method=ConsensusMethod.QUORUM)
SOURCE, SUFFICIENCY, LOGIC = POLICY.criteria


def seed(number: int) -> frozenset[str]:
    return frozenset({f"urn:agent:op-{number}"})


def judge(
    name: str,
    operators: frozenset[str] = frozenset(),
    verdict: Verdict = Verdict.VALIDATED,
    confidence: float = 0.9,
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
) -> Consensus:
    return compute_consensus(judgements, author=AUTHOR, author_operators=author_operators, gate=gate, policy=policy)


TWO = (judge("a", seed(1)), judge("bb", seed(2)))


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_the_literal_method_gives_the_scores_of_section_4_3(vector: dict[str, Any]) -> None:
    reputations = vector["reputations"]
    judgements = [
        Judgement(
            verifier=entry["agent"],
            operators=frozenset(),
            verdict=Verdict(entry["verdict"]),
            confidence=entry["confidence"],
            findings=(),
            log_index=index,
            binds=False,
            reputation=reputations.get(entry["agent"]),
        )
        for index, entry in enumerate(vector["verifications"])
    ]
    consensus = compute_consensus(
        judgements,
        author=AUTHOR,
        author_operators=frozenset(),
        gate=GateState.UNKNOWN,
        policy=POLICY,
        method="a2ap-0.1",
    )
    if vector["name"] == "zero_reputation":
        assert (consensus.score, consensus.verified) == (0.0, False)
        assert "reputation zero" in consensus.reasons[0]
    else:
        assert consensus.score == pytest.approx(vector["spec_4_3_score"], abs=1e-12)
        assert consensus.verified is vector["spec_verified_ge_0.7"]
        assert bool(consensus.reasons) is not consensus.verified


def test_the_literal_method_counts_three_sure_challenges_as_agreement_and_the_default_does_not() -> None:
    challenges = [judge(name, seed(n), Verdict.CHALLENGED, 0.99) for n, name in ((1, "a"), (2, "bb"), (3, "ccc"))]
    assert weigh(*challenges, policy=replace(POLICY, method="a2ap-0.1")).verified
    assert weigh(*challenges).score == 0.0


def test_the_literal_method_leaves_the_machine_out() -> None:
    machine = judge("node", confidence=1.0, machine=True)
    literal = weigh(machine, judge("a", confidence=0.4), policy=replace(POLICY, method="a2ap-0.1"))
    assert (literal.score, literal.counted) == (0.4, ("urn:agent:a",))
    assert literal.ignored == (("urn:agent:node", "the machine's check is unknown to §4.3"),)


def test_an_unknown_method_is_refused() -> None:
    with pytest.raises(ValueError, match="best of three"):
        weigh(policy=replace(POLICY, method="best of three"))


def test_no_verdict_gives_score_zero() -> None:
    consensus = weigh()
    assert (consensus.score, consensus.verified, consensus.counted) == (0.0, False, ())
    assert consensus.reasons == ("No verdict that counts has been given.",)
    assert [entry.score for entry in consensus.per_criterion] == [0.5, 0.5, 0.5]


def test_two_operators_that_pass_everything_verify_a_claim() -> None:
    consensus = weigh(*TWO)
    assert consensus.verified
    assert consensus.method is ConsensusMethod.QUORUM
    assert consensus.score == pytest.approx((0.5 + 1.8) / 3)
    assert consensus.counted == ("urn:agent:a", "urn:agent:bb")
    assert consensus.reasons == ()


def test_a_score_that_is_the_threshold_in_decimals_reaches_it() -> None:
    consensus = weigh(judge("a", seed(1), confidence=0.8), judge("bb", seed(2), confidence=0.8))
    assert (consensus.score, consensus.verified) == (0.7, True)


def test_one_operator_is_no_quorum_however_many_verifiers_it_endorses() -> None:
    consensus = weigh(*(judge("v" * n, seed(1), confidence=1.0) for n in range(1, 6)))
    assert not consensus.verified
    assert consensus.score == 0.75
    assert f"{SOURCE} has been passed by 1 of 2 operators." in consensus.reasons


def test_the_reasons_name_each_criterion_and_the_gate() -> None:
    only_source = {SOURCE: (PASS, 0.95)}
    consensus = weigh(
        judge("a", seed(1), findings=only_source), judge("bb", seed(2), findings=only_source), gate=GateState.UNKNOWN
    )
    assert consensus.score == 0.5
    assert consensus.reasons == (
        f"{SUFFICIENCY} has been passed by 0 of 2 operators.",
        f"{SUFFICIENCY} scores 0.5000, below 0.7000.",
        f"{LOGIC} has been passed by 0 of 2 operators.",
        f"{LOGIC} scores 0.5000, below 0.7000.",
        "The machine could not check the evidence.",
    )


@pytest.mark.parametrize("gate", [GateState.CLOSED, GateState.UNKNOWN])
def test_only_an_open_gate_lets_a_claim_be_verified(gate: GateState) -> None:
    consensus = weigh(*TWO, gate=gate)
    assert not consensus.verified
    assert consensus.score == weigh(*TWO).score
    assert len(consensus.reasons) == 1


@pytest.mark.parametrize(
    ("machine_check", "gate"),
    [("PASS", "OPEN"), ("FAIL", "CLOSED"), ("INCONCLUSIVE", "UNKNOWN"), (None, "UNKNOWN"), ("pass", "UNKNOWN")],
)
def test_only_a_pass_of_the_machine_opens_the_gate(machine_check: str | None, gate: str) -> None:
    assert GateState.of(machine_check) is GateState(gate)


@pytest.mark.parametrize(
    ("judgement", "reason"),
    [
        (judge("author", seed(3)), "the author's own verdict"),
        (judge("friend", frozenset({"urn:agent:op-9"})), "shares the operator urn:agent:op-9 with the author"),
        (judge("endorsee", frozenset({AUTHOR})), "shares the operator urn:agent:author with the author"),
        (judge("op-9"), "shares the operator urn:agent:op-9 with the author"),
        (judge("loose", seed(3), binds=False), "does not name its target by hash"),
        (judge("node", seed(3), machine=True), "the machine's check opens the gate and is not a vote"),
        (judge("mute", seed(3), findings={"quote-exactness": (PASS, 1.0)}), "answers none of the policy's criteria"),
        (judge("unsure", seed(3), findings={SOURCE: (INCONCLUSIVE, 1.0)}), "comes to no conclusion"),
        (judge("lost", seed(3), Verdict.INSUFFICIENT_EVIDENCE), "comes to no conclusion"),
    ],
    ids=lambda value: value.verifier if isinstance(value, Judgement) else "",
)
def test_a_verdict_that_weighs_nothing_changes_nothing_and_is_named(judgement: Judgement, reason: str) -> None:
    consensus = weigh(*TWO, judgement)
    assert consensus.ignored == ((judgement.verifier, reason),)
    assert replace(consensus, ignored=()) == weigh(*TWO)


def test_an_unendorsed_author_shares_its_operator_with_all_unendorsed_verifiers() -> None:
    consensus = weigh(judge("stranger"), author_operators=frozenset())
    assert consensus.ignored == (("urn:agent:stranger", "shares the operator unendorsed with the author"),)


def test_an_earlier_verdict_of_the_same_verifier_is_superseded() -> None:
    earlier = judge("a", seed(1), Verdict.CHALLENGED, 1.0, log_index=0)
    consensus = weigh(earlier, *TWO)
    assert consensus.ignored == (("urn:agent:a", "superseded by a later verdict of the same verifier"),)
    assert consensus.score == weigh(*TWO).score


def test_a_second_response_to_other_criteria_adds_to_the_first() -> None:
    first = judge("a", seed(1), findings={SOURCE: (PASS, 0.9)}, log_index=1)
    second = judge("a", seed(1), findings={LOGIC: (PASS, 0.8), SUFFICIENCY: (PASS, 0.7)}, log_index=2)
    both = judge(
        "a", seed(1), findings={SOURCE: (PASS, 0.9), SUFFICIENCY: (PASS, 0.7), LOGIC: (PASS, 0.8)}, log_index=2
    )
    assert weigh(first, second) == weigh(both)


def test_a_verifier_that_comes_to_want_more_evidence_takes_its_passes_back() -> None:
    afterwards = judge("bb", seed(2), Verdict.INSUFFICIENT_EVIDENCE, log_index=9)
    consensus = weigh(*TWO, afterwards)
    assert consensus.counted == ("urn:agent:a",)
    assert not consensus.verified


@pytest.mark.parametrize(
    ("findings", "faulted"),
    [
        ({}, {SOURCE, SUFFICIENCY, LOGIC}),
        ({SOURCE: (PASS, 0.9)}, {SUFFICIENCY, LOGIC}),
        ({SOURCE: (PASS, 0.9), LOGIC: (INCONCLUSIVE, 0.9)}, {SUFFICIENCY, LOGIC}),
        (dict.fromkeys(POLICY.criteria, (PASS, 0.9)), {SOURCE, SUFFICIENCY, LOGIC}),
        ({LOGIC: (FAIL, 0.9), SOURCE: (PASS, 0.9)}, {LOGIC}),
        ({"timestamp-match": (FAIL, 0.9)}, set()),
        ({"tone@others.example": (FAIL, 0.9)}, set()),
        ({"tone@others.example": (FAIL, 0.9), LOGIC: (FAIL, 0.9)}, {LOGIC}),
        ({"tone@others.example": (INCONCLUSIVE, 0.9)}, {SOURCE, SUFFICIENCY, LOGIC}),
    ],
)
def test_a_challenge_counts_against_what_it_faults(
    findings: dict[str, tuple[FindingStatus, float]], faulted: set[str]
) -> None:
    consensus = weigh(*TWO, judge("ccc", seed(3), Verdict.CHALLENGED, 0.8, findings))
    without = {entry.criterion: entry.score for entry in weigh(*TWO).per_criterion}
    assert {entry.criterion for entry in consensus.per_criterion if entry.score < without[entry.criterion]} == faulted
    assert {entry.criterion for entry in consensus.per_criterion if entry.operators_against} == faulted
    assert all(entry.score <= without[entry.criterion] for entry in consensus.per_criterion)


def test_an_invalid_signature_verdict_counts_against_every_criterion() -> None:
    consensus = weigh(*TWO, judge("ccc", seed(3), Verdict.INVALID_SIGNATURE, 1.0))
    assert [entry.score for entry in consensus.per_criterion] == [pytest.approx(2.3 / 4)] * 3


def test_a_challenge_that_comes_to_no_conclusion_on_a_criterion_takes_an_earlier_pass_back() -> None:
    findings = {LOGIC: (FAIL, 0.9), SOURCE: (INCONCLUSIVE, 0.5)}
    consensus = weigh(*TWO, judge("a", seed(1), Verdict.CHALLENGED, 0.9, findings, log_index=9))
    passed = {entry.criterion: entry.operators_for for entry in consensus.per_criterion}
    assert passed == {
        SOURCE: ("urn:agent:op-2",),
        SUFFICIENCY: ("urn:agent:op-1", "urn:agent:op-2"),
        LOGIC: ("urn:agent:op-2",),
    }


def test_a_fail_within_insufficient_evidence_counts() -> None:
    wanting = judge("ccc", seed(3), Verdict.INSUFFICIENT_EVIDENCE, 0.8, {LOGIC: (FAIL, 0.8), SOURCE: (PASS, 1.0)})
    scores = {entry.criterion: entry.score for entry in weigh(*TWO, wanting).per_criterion}
    assert scores[LOGIC] < scores[SUFFICIENCY] == scores[SOURCE] == weigh(*TWO).score


def test_a_verifier_endorsed_by_two_operators_counts_for_one() -> None:
    twice = judge("a", seed(1) | seed(2))
    assert all(entry.operators_for == ("urn:agent:op-1",) for entry in weigh(twice).per_criterion)
    assert not weigh(twice, judge("bb", seed(1))).verified


def test_an_operator_whose_agents_disagree_gives_the_mean_of_them() -> None:
    divided = weigh(judge("a", seed(1)), judge("aa", seed(1), Verdict.CHALLENGED, 0.9))
    assert divided.score == pytest.approx((0.5 + 0.9 / 1.9) / 2)


def test_a_seeded_operator_that_verifies_itself_counts_as_itself() -> None:
    consensus = weigh(judge("op-2", seed(1)), judge("a", seed(1)))
    assert all(entry.operators_for == ("urn:agent:op-1", "urn:agent:op-2") for entry in consensus.per_criterion)


def test_a_seed_is_nobody_elses_agent_even_if_nobody_endorsed_it() -> None:
    by_seeds = (judge("op-1"), judge("op-2"))
    assert weigh(*by_seeds, author_operators=frozenset()).verified
    consensus = compute_consensus(
        by_seeds, author="urn:agent:op-3", author_operators=frozenset(), gate=GateState.OPEN, policy=POLICY
    )
    assert consensus.verified


def test_endorsing_the_author_and_its_judges_together_does_not_silence_them() -> None:
    enemy = frozenset({"urn:agent:enemy"})
    judges = (judge("a", seed(1) | enemy), judge("bb", seed(2) | enemy))
    assert weigh(*judges, author_operators=seed(3) | enemy).verified
    assert weigh(*judges, author_operators=enemy).verified


def test_an_author_that_endorses_a_challenger_does_not_silence_it() -> None:
    challenger = judge("ccc", seed(3) | {AUTHOR}, Verdict.CHALLENGED)
    assert weigh(*TWO, challenger).score < weigh(*TWO).score


def test_a_seed_that_endorsed_the_author_does_not_judge_it() -> None:
    consensus = weigh(*TWO, judge("op-3"), author_operators=seed(3) | seed(1))
    assert [verifier for verifier, _ in consensus.ignored] == ["urn:agent:a", "urn:agent:op-3"]


def test_a_policy_cannot_seed_the_unendorsed() -> None:
    policy = replace(POLICY, seeds=SEEDS | {"unendorsed"})
    assert weigh(judge("stranger", frozenset({"unendorsed"})), policy=policy) == weigh(judge("stranger"))


def test_a_sybil_crowd_does_not_outweigh_one_endorsed_challenger() -> None:
    crowd = [judge(f"sybil-{n}", confidence=1.0) for n in range(1000)]
    alone = weigh(judge("a", seed(1)), judge("bb", seed(2), Verdict.CHALLENGED, 0.9))
    beside = weigh(judge("a", seed(1)), judge("bb", seed(2), Verdict.CHALLENGED, 0.9), *crowd)
    assert beside.score < 0.7
    assert beside.score - alone.score < 0.06
    assert not beside.verified


def test_a_score_held_below_the_threshold_looks_held_in_four_decimals() -> None:
    one = judge("a", seed(1), confidence=0.88)
    consensus = weigh(one, judge("stranger", confidence=1.0))
    assert weigh(one).score < 0.7
    assert consensus.score == pytest.approx(0.6999, abs=1e-12)


def test_without_a_seeded_verdict_strangers_lift_nothing_even_where_the_threshold_is_low() -> None:
    assert weigh(judge("stranger", confidence=1.0), policy=replace(POLICY, threshold=0.4)).score == 0.5


def test_a_crowd_of_strangers_does_not_drown_one_that_challenges() -> None:
    doubt = judge("doubter", verdict=Verdict.CHALLENGED, confidence=1.0)
    crowd = [judge(f"sybil-{n}", confidence=1.0) for n in range(100)]
    assert weigh(*TWO, doubt, *crowd).score == weigh(*TWO, doubt).score < weigh(*TWO).score


def test_a_stranger_that_passes_faintly_lowers_nothing() -> None:
    assert weigh(*TWO, judge("stranger", confidence=0.0)).score == weigh(*TWO).score
    assert weigh(*TWO, judge("stranger", confidence=0.1)).score > weigh(*TWO).score


def test_a_sybil_crowd_cannot_talk_down_more_than_its_one_weight() -> None:
    crowd = [judge(f"sybil-{n}", verdict=Verdict.CHALLENGED, confidence=1.0) for n in range(1000)]
    assert weigh(*TWO, *crowd).score == pytest.approx(2.3 / 3.25)
    assert weigh(*TWO, *crowd).verified


# Whatever is submitted.

NAMES = st.sampled_from(["a", "b", "c", "d", "e", "f", "author", "op-1", "op-2"])
SHARES = st.sampled_from([0.0, 0.1, 0.5, 0.7, 0.9, 1.0]) | st.floats(0, 1)
OPERATORS = st.frozensets(st.sampled_from([*sorted(SEEDS), "urn:agent:op-9", "urn:agent:other", AUTHOR]), max_size=2)
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
        reputation=draw(st.none() | SHARES),
    )


CROWDS = st.lists(judgements(), max_size=8)
# Every verifier once, so that nobody is superseded and what is added is added.
DISTINCT_CROWDS = st.lists(judgements(), max_size=8, unique_by=lambda judgement: judgement.verifier)
GATES = st.sampled_from(GateState)
POLICIES = st.builds(
    ConsensusPolicy,
    threshold=SHARES,
    quorum=st.integers(-1, 3),
    seeds=st.frozensets(st.sampled_from(sorted(SEEDS))),
    method=st.sampled_from(ConsensusMethod),
    criteria=st.lists(st.sampled_from(POLICY.criteria), unique=True).map(tuple),
    unseeded_weight=SHARES,
)
QUORUM_POLICIES = POLICIES.map(lambda policy: replace(policy, method=ConsensusMethod.QUORUM))
AUTHOR_OPERATORS = st.sampled_from([frozenset(), frozenset({"urn:agent:op-9"}), seed(1)])


@given(CROWDS, POLICIES, GATES, AUTHOR_OPERATORS)
def test_a_score_is_a_probability(crowd, policy, gate, author_operators) -> None:
    consensus = weigh(*crowd, policy=policy, gate=gate, author_operators=author_operators)
    assert 0.0 <= consensus.score <= 1.0
    assert all(0.0 <= entry.score <= 1.0 for entry in consensus.per_criterion)
    assert consensus.verified or consensus.reasons


@given(CROWDS, POLICIES, st.floats(), st.floats(), st.floats())
def test_no_number_raises(crowd, policy, threshold, sure, weight) -> None:
    odd = [replace(judgement, confidence=sure, reputation=weight) for judgement in crowd]
    odd += [replace(judgement, findings=((SOURCE, FAIL, weight), (LOGIC, PASS, sure))) for judgement in crowd]
    consensus = weigh(*odd, policy=replace(policy, threshold=threshold, unseeded_weight=weight))
    assert 0.0 <= consensus.score <= 1.0 or not 0.0 <= threshold <= 1.0


@given(CROWDS, POLICIES, GATES, st.randoms(use_true_random=False))
def test_the_order_of_the_judgements_does_not_matter(crowd, policy, gate, random: Random) -> None:
    shuffled = crowd.copy()
    random.shuffle(shuffled)
    assert weigh(*shuffled, policy=policy, gate=gate) == weigh(*crowd, policy=policy, gate=gate)


@given(DISTINCT_CROWDS, judgements(st.just("newcomer")), QUORUM_POLICIES, GATES)
def test_a_challenge_never_raises_a_score(crowd, newcomer, policy, gate) -> None:
    for verdict in (Verdict.CHALLENGED, Verdict.INVALID_SIGNATURE, Verdict.INSUFFICIENT_EVIDENCE):
        before = weigh(*crowd, policy=policy, gate=gate)
        after = weigh(*crowd, replace(newcomer, verdict=verdict), policy=policy, gate=gate)
        assert after.score <= before.score
        assert after.verified <= before.verified
        for entry, earlier in zip(after.per_criterion, before.per_criterion, strict=True):
            assert entry.score <= earlier.score


@given(CROWDS, st.lists(judgements(st.integers(0, 99).map("sybil-{}".format)), max_size=6), QUORUM_POLICIES, GATES)
def test_the_unseeded_never_make_a_claim_verified(crowd, sybils, policy, gate) -> None:
    unseeded = [replace(sybil, operators=sybil.operators - SEEDS) for sybil in sybils]
    before = weigh(*crowd, policy=policy, gate=gate)
    after = weigh(*crowd, *unseeded, policy=policy, gate=gate)
    assert after.verified <= before.verified


@given(CROWDS, QUORUM_POLICIES)
def test_the_authors_verdict_changes_nothing(crowd, policy) -> None:
    own = judge("author", seed(1), confidence=1.0, log_index=99)
    crowd = [judgement for judgement in crowd if judgement.verifier != AUTHOR]
    assert replace(weigh(*crowd, own, policy=policy), ignored=()) == replace(weigh(*crowd, policy=policy), ignored=())


@given(CROWDS, st.integers(0, 7), QUORUM_POLICIES)
def test_saying_it_again_changes_nothing(crowd, position, policy) -> None:
    again = [replace(crowd[position], log_index=-1)] if position < len(crowd) else []
    after, before = weigh(*crowd, *again, policy=policy), weigh(*crowd, policy=policy)
    assert replace(after, ignored=()) == replace(before, ignored=())


@given(DISTINCT_CROWDS, st.lists(judgements(st.sampled_from(["x", "y", "z"])), max_size=5), GATES)
def test_agents_of_one_operator_are_one_voice_in_the_quorum(crowd, agents, gate) -> None:
    same = [replace(agent, operators=seed(1)) for agent in agents]
    before, after = weigh(*crowd, gate=gate), weigh(*crowd, *same, gate=gate)
    for entry, earlier in zip(after.per_criterion, before.per_criterion, strict=True):
        assert set(entry.operators_for) - set(earlier.operators_for) <= seed(1)


@given(DISTINCT_CROWDS, st.integers(0, 7), st.lists(SHARES, min_size=5, max_size=5), QUORUM_POLICIES)
def test_a_surer_verifier_moves_the_score_its_own_way(crowd, position, shares, policy) -> None:
    if position >= len(crowd):
        return
    judgement, others = crowd[position], crowd[:position] + crowd[position + 1 :]
    for status, sign in ((PASS, 1), (FAIL, -1)):
        findings = tuple((name, was, min(shares)) for name, was, _ in judgement.findings)
        faint = replace(judgement, confidence=min(shares), findings=findings)
        sure = replace(
            faint,
            confidence=max(shares) if status is FAIL else faint.confidence,
            findings=tuple((name, was, max(shares) if was is status else sureness) for name, was, sureness in findings),
        )
        before, after = weigh(*others, faint, policy=policy), weigh(*others, sure, policy=policy)
        assert sign * after.score >= sign * before.score
        for entry, earlier in zip(after.per_criterion, before.per_criterion, strict=True):
            assert sign * entry.score >= sign * earlier.score
