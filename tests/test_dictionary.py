"""The data dictionary: one source of what is in the graph, in exports and in the mirror, and a page that is current."""

import re
from pathlib import Path

import pyarrow
from cli_runner import Run, a2ap

from graph.cli.dictionary_page import PARQUET_TYPES, dictionary_page
from graph.cypher_text.vocabulary import LABELS, RELATIONSHIPS, properties_of, withheld_of
from graph.dictionary.access import EVERYBODY, seen_by
from graph.dictionary.indexes import found_by
from graph.dictionary.labels import EDGE_LABELS, NODE_KEYS
from graph.dictionary.reading import node_terms, relationship_terms
from graph.dictionary.term import Kind
from graph.export.parquet import parquet_type
from graph.export.steps import EDGE_STEPS, NODE_STEPS
from graph.mirror.tables import mirror_tables

__all__ = ["a2ap"]

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "dictionary.md"


def test_the_page_is_current(a2ap: Run) -> None:
    assert PAGE.read_text(encoding="utf-8") == dictionary_page(), "make dictionary"
    assert a2ap("dictionary").out == dictionary_page()


def test_it_has_every_label_and_type_in_their_order() -> None:
    assert list(node_terms()) == list(NODE_KEYS) == [step.label for step in NODE_STEPS]
    assert list(relationship_terms()) == list(EDGE_LABELS)
    assert {step.type for step in EDGE_STEPS} == set(EDGE_LABELS) == set(RELATIONSHIPS)
    assert set(LABELS) == set(NODE_KEYS)


def test_every_label_begins_with_its_key_which_is_unique_and_always_there() -> None:
    for label, term in node_terms().items():
        first = term.columns[0]
        assert first.name == NODE_KEYS[label]
        assert first.is_always_there, label
        assert found_by()[label, first.name] == "unique"


def test_what_nodes_are_found_by_is_in_the_dictionary() -> None:
    aside = {"Lease", "LeaseCall", "LeaseHead", "SearchVector", "SearchIndex"}
    for (label, name), how in found_by().items():
        if label not in aside:
            assert name in properties_of(label), (label, name, how)


def test_meanings_are_sentences() -> None:
    terms = [*node_terms().values(), *relationship_terms().values()]
    meanings = [meaning for term in terms for meaning in (term.meaning, *(one.meaning for one in term.columns))]
    meanings += [column.meaning for table in mirror_tables() for column in table.kept]
    assert [meaning for meaning in meanings if not re.fullmatch(r"[A-Z`][^\n]*\.", meaning)] == []


def test_who_may_see_what_is_what_queries_withhold() -> None:
    for label in LABELS:
        withheld = {name for name in properties_of(label) if seen_by(label, name) != EVERYBODY}
        assert withheld == withheld_of(label), label


def test_types_of_parquet_are_those_that_are_written() -> None:
    for kind in Kind:
        assert str(parquet_type(pyarrow, kind)).replace("item: ", "").replace("element: ", "") == PARQUET_TYPES[kind]
