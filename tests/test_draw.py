"""The draw of operators: a function of the log alone, that only its own rules widen."""

import hashlib
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from builders import signed_policy
from hypothesis import given
from hypothesis import strategies as st

from a2ap.errors import FieldError
from a2ap.messages.draw_rules import DrawRules
from a2ap.messages.finding import FindingStatus
from a2ap.messages.message import read_message
from a2ap.messages.policy import Policy
from a2ap.messages.verification_response import Verdict
from graph.scoring.consensus import ConsensusPolicy, GateState, Judgement, compute_consensus
from graph.scoring.draw import NOT_REQUESTED, Declined, Draw, DrawFacts, DrawingRequest, may_fix_draw, order_of, seed_of
from graph.scoring.draw_reading import draw_facts_of

SECOND = 1_000_000
RULES = DrawRules(operators=2, least=3, window=60)
NAMES = st.lists(st.text(min_size=1, max_size=8), min_size=3, max_size=12, unique=True)
LEAVES = st.binary(min_size=32, max_size=32)
REQUEST = DrawingRequest(hashlib.sha256(b"leaf").digest(), log_index=10, received=1_000 * SECOND)
OPERATORS = tuple(f"urn:agent:{letter}" for letter in "abcdef")


def draw_among(operators=OPERATORS, request: DrawingRequest | None = REQUEST, declines=(), rules=RULES) -> Draw:
    draw = Draw.among(operators, rules, request, declines)
    assert draw is not None
    return draw


@given(NAMES, LEAVES, st.randoms())
def test_the_order_is_a_permutation_that_the_order_of_the_input_does_not_change(names, leaf, random) -> None:
    order = order_of(names, seed_of(leaf))
    shuffled = random.sample(names, len(names))
    assert sorted(order) == sorted(names)
    assert order_of([*shuffled, *names], seed_of(leaf)) == order


@given(NAMES, LEAVES)
def test_another_operator_does_not_change_the_order_of_the_others(names, leaf) -> None:
    order = order_of(names, seed_of(leaf))
    assert order_of(names[1:], seed_of(leaf)) == tuple(name for name in order if name != names[0])


@given(NAMES, LEAVES, st.lists(st.tuples(st.integers(0, 11), st.integers(0, 40)), max_size=6), st.data())
def test_the_draw_only_grows_but_for_operators_that_decline(names, leaf, declined, data) -> None:
    request = replace(REQUEST, leaf_hash=leaf)
    # Entries follow each other by ten seconds.
    declines = [
        (names[place % len(names)], request.log_index + later, request.received + 10 * SECOND * later)
        for place, later in declined
    ]
    draw = draw_among(names, request, data.draw(st.permutations(declines)))
    drawn: set[str] = set()
    for later in range(1, 60):
        place, time = request.log_index + later, request.received + 10 * SECOND * later
        now = draw.drawn_at(place, time)
        gone = {name for name, index, _ in declines if index < place}
        assert drawn - gone <= set(now) and gone.isdisjoint(now)
        assert len(now) == min(RULES.operators + later // 6, len(set(names) - gone))
        # The list for people names the same operators.
        told = {one.operator: one for one in draw.drawn_until(time)}
        assert set(now) - set(told) == set()
        assert all(told[name].since <= time for name in now)
        drawn = set(now)


@given(LEAVES, st.integers(0, 400), st.integers(0, 5))
def test_each_operator_is_drawn_from_the_time_on_that_is_told(leaf, seconds, decliner) -> None:
    request = replace(REQUEST, leaf_hash=leaf)
    declined = request.received + 30 * SECOND
    draw = draw_among(request=request, declines=[(OPERATORS[decliner], 11, declined)])

    def drawn_at(time: int) -> tuple[str, ...]:
        return draw.drawn_at(12 if time >= declined else 11, time)

    for one in draw.drawn_until(request.received + seconds * SECOND):
        if one.declined is None:
            assert one.operator in drawn_at(one.since)
        if one.since > request.received:
            assert one.operator not in drawn_at(one.since - 1)


def test_an_operator_that_declines_after_its_verdict_completes_no_quorum() -> None:
    first, friend = draw_among().order[0], draw_among().order[RULES.operators]
    place, time = REQUEST.log_index + 5, REQUEST.received + 1
    assert draw_among().reason_against(first, place, time) == ""
    late = draw_among(declines=[(first, place + 1, time + 1)])
    assert late.reason_against(first, place, time) == f"not drawn: {first} has declined"
    assert late.reason_against(friend, place + 2, time + 2) == ""


def test_the_draw_of_a_known_leaf_is_this_one() -> None:
    assert seed_of(REQUEST.leaf_hash).hex() == "62b8978a199ba9bb397ac171c12f474c92296899ca35693b1f181d7c397256dd"
    assert [name[-1] for name in draw_among().order] == list("bfeacd")


@pytest.mark.parametrize(("windows", "share"), [(0, 1 / 15), (1, 1 / 5), (4, 1.0)])
def test_two_of_six_are_drawn_together_as_often_as_chance_has_it(windows: int, share: float) -> None:
    together = 0
    for number in range(3000):
        request = replace(REQUEST, leaf_hash=hashlib.sha256(bytes([number >> 8, number & 255])).digest())
        drawn = draw_among(request=request).drawn_at(11, request.received + windows * RULES.window * SECOND)
        together += {"urn:agent:a", "urn:agent:b"} <= set(drawn)
    assert together / 3000 == pytest.approx(share, abs=0.015)


def test_nobody_is_drawn_where_too_few_are_eligible_or_nobody_has_asked() -> None:
    assert Draw.among(OPERATORS[:2], RULES, REQUEST, ()) is None
    draw = draw_among(request=None)
    assert draw.drawn_at(99, 2**60) == () == draw.drawn_until(2**60)
    assert "nobody has requested" in draw.reason_against(OPERATORS[0], 99, 2**60)


def test_a_verdict_before_the_request_is_a_volunteers() -> None:
    draw = draw_among()
    first = draw.order[0]
    assert draw.reason_against(first, 11, REQUEST.received) == ""
    assert "came before the first request" in draw.reason_against(first, 9, REQUEST.received)
    last = draw.order[-1]
    assert "was not among the 2 operators drawn" in draw.reason_against(last, 11, REQUEST.received)
    assert draw.reason_against(last, 11, REQUEST.received + 4 * 60 * SECOND) == ""


def test_a_clock_that_is_behind_draws_no_fewer() -> None:
    assert len(draw_among().drawn_at(11, 0)) == RULES.operators


@pytest.mark.parametrize(
    ("bounds", "draws"),
    [
        ({}, True),
        ({"wanted_verdicts": 2}, True),
        ({"wanted_verdicts": 1}, False),
        ({"deadline": datetime(2025, 10, 14, tzinfo=UTC)}, False),
        ({"eligible_verifiers": ("urn:agent:a",)}, False),
        ({"criteria": ("tone", "source-accuracy")}, True),
        ({"criteria": ("tone",)}, False),
    ],
)
def test_a_request_by_which_its_agent_could_choose_draws_nobody(bounds, draws: bool) -> None:
    free = {"criteria": ("source-accuracy",), "wanted_verdicts": None, "deadline": None, "eligible_verifiers": None}
    assert may_fix_draw(RULES, ("source-accuracy",), **(free | bounds)) is draws


@pytest.mark.parametrize(
    ("members", "path"),
    [
        ({"operators": 0, "from": 3, "window": 60}, "draw.operators"),
        ({"operators": 3, "from": 2, "window": 60}, "draw.from"),
        ({"operators": 2, "from": 3, "window": 0}, "draw.window"),
        ({"operators": 2, "from": 3}, "draw.window"),
        ({"operators": 2, "from": 3, "window": 60, "until": 1}, "draw.until"),
    ],
)
def test_rules_that_no_draw_can_follow_are_refused(members, path: str) -> None:
    with pytest.raises(FieldError, match=f"^{path}"):
        DrawRules.from_members(members, "draw")


def test_a_policy_that_draws_fewer_operators_than_its_quorum_is_refused() -> None:
    assert isinstance(policy := read_message(signed_policy(draw=RULES)), Policy) and policy.draw == RULES
    with pytest.raises(FieldError, match=r"^draw.operators is 2, and the quorum is 3"):
        read_message(signed_policy(quorum=3, draw=RULES))


PASSES = tuple((name, FindingStatus.PASS, 0.9) for name in ConsensusPolicy().criteria)
REQUESTED = DrawFacts(REQUEST)
POLICY = ConsensusPolicy(seeds=frozenset(OPERATORS), draw=RULES)


def verdict_of(operator: str, place: int, verdict: Verdict = Verdict.VALIDATED) -> Judgement:
    found = PASSES if verdict is Verdict.VALIDATED else ()
    received = REQUEST.received + place * SECOND
    return Judgement(operator, frozenset(), verdict, 0.9, found, place, received=received)


def consensus_of(*judgements: Judgement, method: str = "a2ap-posterior", facts: DrawFacts = REQUESTED):
    return compute_consensus(
        judgements,
        author="urn:agent:author",
        author_operators=frozenset(),
        gate=GateState.OPEN,
        policy=POLICY,
        method=method,
        facts=facts,
    )


@pytest.mark.parametrize("method", ["a2ap-posterior", "a2ap-quorum"])
def test_volunteers_inform_the_score_and_complete_no_quorum(method: str) -> None:
    drawn, others = draw_among().order[:2], draw_among().order[2:]
    alone = consensus_of(verdict_of(drawn[0], 11), method=method)
    joined = consensus_of(verdict_of(drawn[0], 11), verdict_of(others[0], 12), method=method)
    assert joined.score > alone.score and not joined.verified
    assert {one.operators_for for one in joined.per_criterion} == {(drawn[0],)}
    assert {one.volunteers for one in joined.per_criterion} == {(others[0],)}
    assert "source-accuracy has been passed by 1 of 2 drawn operators." in joined.reasons
    assert [bool(one.not_drawn) for one in joined.readings] == [False, True]
    both = consensus_of(verdict_of(drawn[0], 11), verdict_of(drawn[1], 12), verdict_of(others[0], 13), method=method)
    assert both.verified
    # A challenge needs no draw.
    against = [verdict_of(one, 14 + place, Verdict.CHALLENGED) for place, one in enumerate(others[1:3])]
    assert not consensus_of(verdict_of(drawn[0], 11), verdict_of(drawn[1], 12), *against, method=method).verified


def test_a_volunteer_that_is_drawn_later_says_it_again() -> None:
    order = draw_among().order
    early, again = verdict_of(order[2], 11), verdict_of(order[2], 80)
    assert not consensus_of(verdict_of(order[0], 12), early).verified
    assert consensus_of(verdict_of(order[0], 12), early, again).verified


def test_without_a_request_there_is_no_quorum_and_the_reason_says_so() -> None:
    found = consensus_of(verdict_of(OPERATORS[0], 11), verdict_of(OPERATORS[1], 12), facts=DrawFacts())
    assert not found.verified
    assert found.reasons[0].startswith("Nobody has requested its verification")
    assert {one.not_drawn for one in found.readings} == {NOT_REQUESTED}


def test_a_decline_gives_the_place_to_the_next_one() -> None:
    first, second, third = draw_among().order[:3]
    declined = DrawFacts(REQUEST, (Declined(first, frozenset(), 11, REQUEST.received),))
    verdicts = [verdict_of(second, 12), verdict_of(third, 13)]
    assert not consensus_of(*verdicts).verified
    assert consensus_of(*verdicts, facts=declined).verified
    # It is no way to draw a friend and stay drawn oneself.
    assert not consensus_of(verdict_of(first, 12), verdict_of(third, 13), facts=declined).verified


async def test_without_rules_for_a_draw_nothing_is_read() -> None:
    class Unreadable:
        async def run(self, name: str, /, **parameters: object) -> list[dict[str, object]]:
            raise LookupError(name)

    assert await draw_facts_of(Unreadable(), ["sha256:1"], ConsensusPolicy()) == {}
    with pytest.raises(LookupError, match="drawing_requests"):
        await draw_facts_of(Unreadable(), ["sha256:1"], POLICY)
