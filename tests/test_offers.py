"""Which requests are offered to whom: pure functions, tried on made-up people and standings."""

from hypothesis import assume, given
from hypothesis import strategies as st

from graph.requests.offers import (
    OpenRequest,
    People,
    Standing,
    Verdict,
    may_be_offered,
    wants_more,
)

AUTHOR, SEED, OTHER_SEED = "urn:agent:author", "urn:agent:seed", "urn:agent:other-seed"
STRANGERS = [f"urn:agent:stranger-{number}" for number in range(5)]
SEEDED = [f"urn:agent:seeded-{number}" for number in range(5)]
SIBLING = "urn:agent:sibling"
PEOPLE = People(
    {
        **{agent: frozenset({SEED}) for agent in SEEDED[:3]},
        **{agent: frozenset({OTHER_SEED, STRANGERS[4]}) for agent in SEEDED[3:]},
        SIBLING: frozenset({AUTHOR}),
    },
    seeds=frozenset({SEED, OTHER_SEED}),
)
REQUEST = OpenRequest(
    signed_hash="sha256:r",
    request_id="urn:uuid:r",
    agent_id=AUTHOR,
    criteria=("source-accuracy",),
    deadline=None,
    wanted_verdicts=2,
    eligible_verifiers=None,
    log_index=7,
    statement="sha256:s",
    statement_id="urn:uuid:s",
    author=AUTHOR,
)

agents = st.sampled_from([*STRANGERS, *SEEDED, SIBLING, AUTHOR])
some = st.frozensets(agents)
standings = st.builds(Standing, answered=some, declined=some, leased=some)


@given(standings, st.sampled_from([*SEEDED, *STRANGERS]))
def test_strangers_never_keep_anybody_from_a_request(standing: Standing, verifier: str) -> None:
    kept = {*SEEDED, verifier}
    without = Standing(*(frozenset(one) & kept for one in (standing.answered, standing.declined, standing.leased)))

    assert may_be_offered(REQUEST, verifier, standing, PEOPLE) == may_be_offered(REQUEST, verifier, without, PEOPLE)


@given(some, st.sampled_from([*SEEDED, *STRANGERS]))
def test_a_request_is_full_with_as_many_operators_as_it_wants_and_not_before(taken: frozenset[str], who: str) -> None:
    assume(who not in taken)
    operators = {PEOPLE.operator_of(agent) for agent in taken} - {None}

    assert may_be_offered(REQUEST, who, Standing(leased=taken), PEOPLE) == (len(operators) < 2)
    assert may_be_offered(REQUEST, who, Standing(answered=taken), PEOPLE) == (len(operators) < 2)


@given(standings, agents)
def test_nothing_is_offered_twice(standing: Standing, verifier: str) -> None:
    assume(may_be_offered(REQUEST, verifier, standing, PEOPLE))

    assert verifier not in standing.answered | standing.declined | standing.leased


@given(standings)
def test_the_author_and_its_operator_are_offered_nothing_and_take_no_place(standing: Standing) -> None:
    assert not may_be_offered(REQUEST, AUTHOR, standing, PEOPLE)
    assert not may_be_offered(REQUEST, SIBLING, standing, PEOPLE)
    own = Standing(answered=frozenset({AUTHOR, SIBLING}), leased=frozenset({SIBLING}))
    assert may_be_offered(REQUEST, STRANGERS[0], own, PEOPLE)


def test_without_seeds_all_are_strangers_and_a_request_waits_for_everybody() -> None:
    taken = Standing(answered=frozenset(STRANGERS[:3]), leased=frozenset(STRANGERS[3:]))

    assert may_be_offered(REQUEST, SEEDED[0], taken, People({}))


def test_an_agent_counts_for_one_operator() -> None:
    both = People({SEEDED[0]: frozenset({SEED, OTHER_SEED, AUTHOR})}, seeds=PEOPLE.seeds)

    assert both.operator_of(SEEDED[0]) == min(SEED, OTHER_SEED)
    assert both.operator_of(SEED) == SEED
    assert both.operator_of(STRANGERS[0]) is None
    assert both.operator_of(AUTHOR) is None


def test_where_a_seed_endorsed_it_others_cannot_make_a_verifier_the_authors_sibling() -> None:
    people = People({SEEDED[0]: frozenset({SEED, AUTHOR})}, seeds=PEOPLE.seeds)

    assert may_be_offered(REQUEST, SEEDED[0], Standing(), people)
    assert not may_be_offered(REQUEST, SEEDED[0], Standing(), People(people.endorsers))


verdicts = st.builds(
    Verdict,
    agent_id=agents,
    log_index=st.integers(0, 20),
    request=st.sampled_from([None, "sha256:r", "sha256:another"]),
    criteria=st.lists(st.sampled_from(["source-accuracy", "example:tone"]), unique=True).map(tuple),
    binds=st.booleans(),
)


@given(verdicts)
def test_a_verdict_answers_what_it_names_else_what_came_before_it(verdict: Verdict) -> None:
    named = verdict.request == REQUEST.signed_hash
    later = verdict.request is None and verdict.log_index > REQUEST.log_index
    about = not verdict.criteria or "source-accuracy" in verdict.criteria
    counts = verdict.binds and verdict.agent_id != AUTHOR

    assert verdict.answers(REQUEST) == (counts and (named or (later and about)))


@given(st.integers(0, 2000), st.none() | st.integers(1, 1000))
def test_a_request_wants_as_many_as_it_says(verdicts: int, wanted: int | None) -> None:
    request = OpenRequest(
        **{name: getattr(REQUEST, name) for name in OpenRequest.__slots__ if name != "wanted_verdicts"},
        wanted_verdicts=wanted,
    )
    assert wants_more(request, verdicts) == (wanted is None or verdicts < wanted)
