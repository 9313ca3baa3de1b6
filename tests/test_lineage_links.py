"""The one table of how things are joined: what paths, stories and blast radii take out of it."""

import pytest

from cypher import load_query, query_names
from graph.lineage.links import LINKS, NEIGHBOURS, PATHS, RELATIONS, Link, Way, steps_of
from graph.lineage.walk import Kind, Relation

WALKS = (Way.CAUSES, Way.EFFECTS, Way.IMPACT)


@pytest.mark.parametrize("link", PATHS, ids=str)
def test_a_path_can_go_both_ways_along_its_links(link: Link) -> None:
    assert link.onward in query_names() and link.back in query_names()


@pytest.mark.parametrize("way", WALKS)
def test_every_step_of_a_walk_has_a_query_of_items(way: Way) -> None:
    for step in steps_of(way):
        assert {"names", "as_of", "first"} <= load_query(step.query).parameters


def test_neighbours_are_joined_by_every_link_but_the_shortcuts_of_walks() -> None:
    shortcuts = [link for link in LINKS if link not in NEIGHBOURS]
    assert {(link.later, link.relation, link.earlier) for link in shortcuts} == {
        (Kind.VOUCHED_FOR, Relation.ENDORSED_BY, Kind.AGENT),
        (Kind.VOUCHED_FOR, Relation.ENDORSED_BY, Kind.KEY),
        (Kind.VERIFICATION, Relation.PERFORMED_BY, Kind.VOUCHED_FOR),
        (Kind.STATEMENT, Relation.JUDGED_BY, Kind.VERIFICATION),
        (Kind.STATEMENT, Relation.CITES, Kind.SOURCE),
    }


def test_nobody_is_kept_from_a_link_that_has_no_use() -> None:
    assert all(link.ways for link in LINKS)
    assert not any(link.onward and not link.ways & (Way.PATH | Way.CAUSES | Way.NEIGHBOUR) for link in LINKS)
    assert not any(link.back and not link.ways & ~Way.CAUSES for link in LINKS)


def test_no_query_of_a_walk_stands_outside_the_table() -> None:
    named = {query for link in LINKS for query in (link.onward, link.back)}
    walked = {name for name in query_names() if "names" in load_query(name).parameters and name.startswith("lineage_")}
    assert walked <= named


def test_a_walk_goes_from_a_record_as_from_its_bytes() -> None:
    used = [step for step in steps_of(Way.IMPACT) if step.relation is Relation.USED]
    assert {kind for step in used for kind in step.starts} == {Kind.SOURCE, Kind.PACK, Kind.PACKET, Kind.PASSPORT}
    assert Relation.SIGNED_WITH not in RELATIONS  # no path goes through a key
