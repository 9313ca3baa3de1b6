"""Trust mass: where it comes from, how it is shared, and that nobody makes any."""

from hypothesis import given
from hypothesis import strategies as st

from graph.scoring.trust_mass import QUOTA, trust_masses, trust_of

SEEDS = ("urn:agent:op-1", "urn:agent:op-2")
AGENTS = st.sampled_from([*SEEDS, *(f"urn:agent:{name}" for name in "abcdef")])
GRAPHS = st.lists(st.tuples(AGENTS, AGENTS), max_size=30)


def test_a_seed_passes_on_half_of_its_mass_in_equal_parts() -> None:
    masses = trust_masses([(SEEDS[0], "a"), (SEEDS[0], "b"), (SEEDS[1], "b"), ("b", "c")], SEEDS)
    assert masses == {SEEDS[0]: 1.0, SEEDS[1]: 1.0, "a": 0.25, "b": 0.75, "c": 0.375}


def test_a_seed_vouches_in_full_for_as_many_as_its_quota() -> None:
    full = trust_masses([(SEEDS[0], f"a{n}") for n in range(QUOTA)], SEEDS)
    more = trust_masses([(SEEDS[0], f"a{n}") for n in range(1000)], SEEDS)
    assert trust_of(full["a0"]) == 1.0
    assert trust_of(more["a0"]) == QUOTA / 1000


def test_a_clique_that_endorses_itself_has_no_mass() -> None:
    clique = [(f"x{a}", f"x{b}") for a in range(5) for b in range(5)]
    assert trust_masses(clique, SEEDS) == dict.fromkeys(SEEDS, 1.0)


def test_endorsing_a_seed_gives_it_nothing_and_oneself_neither() -> None:
    assert trust_masses([("a", SEEDS[0]), (SEEDS[0], SEEDS[0]), (SEEDS[0], "a"), ("a", "a")], SEEDS)["a"] == 0.5


@given(GRAPHS, st.randoms(use_true_random=False))
def test_the_order_of_endorsements_does_not_matter(graph, random) -> None:
    shuffled = graph.copy()
    random.shuffle(shuffled)
    assert trust_masses(shuffled + graph, SEEDS) == trust_masses(graph, SEEDS)


@given(GRAPHS)
def test_there_is_never_more_mass_than_the_seeds_can_give(graph) -> None:
    masses = trust_masses(graph, SEEDS)
    assert sum(masses.values()) <= 2 * len(SEEDS) + 1e-9
    assert all(mass > 0 for mass in masses.values())


@given(GRAPHS, st.lists(st.sampled_from("uvwxyz"), min_size=2, max_size=2))
def test_strangers_who_endorse_each_other_change_nothing(graph, pair) -> None:
    assert trust_masses([*graph, tuple(pair)], SEEDS) == trust_masses(graph, SEEDS)
