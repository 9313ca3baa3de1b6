"""What of a SPARQL text is let through, and that the engine reads in it what was judged."""

import threading
import time
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyoxigraph import Literal, NamedNode, Quad, Store
from sparql_listener import Listener, listener
from sparql_queries import READING, REFUSED, TWO_READINGS

from graph.errors import SparqlTextError
from graph.sparql.query_text import rewrite_query
from graph.sparql.stores import _PREFIXES

__all__ = ["listener"]

XSD = "http://www.w3.org/2001/XMLSchema#"


@pytest.mark.parametrize("query", READING)
def test_a_reading_query_is_let_through_and_the_engine_reads_it(query: str) -> None:
    Store().query(rewrite_query(query), prefixes=_PREFIXES)


@pytest.mark.parametrize("query", [text for name, text in REFUSED.items() if name != "half a query"])
def test_what_is_no_reading_query_is_refused_by_its_words(query: str) -> None:
    with pytest.raises(SparqlTextError):
        rewrite_query(query)


@given(st.text(alphabet="SERVICE service'\"\\#<>{}?$:. \nab", max_size=80))
def test_no_text_breaks_the_check(text: str) -> None:
    try:
        rewrite_query("SELECT * WHERE { " + text + " }")
    except SparqlTextError as error:
        assert str(error)


@pytest.mark.parametrize("query", TWO_READINGS.values(), ids=TWO_READINGS)
def test_the_engine_asks_nobody_where_it_would_read_a_text_otherwise(listener: Listener, query: str) -> None:
    text = listener.named_in(query)
    # What is sent reaches the listener: whoever only looks at it and hands it on is fooled.
    asking = threading.Thread(target=asked, args=(text,), daemon=True)
    asking.start()
    assert was_visited(listener)
    asking.join(10)
    listener.visits()
    with suppress(SparqlTextError):
        asked(rewrite_query(text))
    assert listener.visits() == 0


def asked(text: str) -> list[Any]:
    with suppress(SyntaxError, OSError, RuntimeError, ValueError):
        answer: Any = Store().query(text)
        return list(answer)
    return []


def was_visited(listener: Listener) -> bool:
    for _ in range(200):
        if listener.visits():
            return True
        time.sleep(0.02)
    return False


PIECES = [*"<>2)(}{#'\" \n\\=.-a?", "?o", "SERVICE", "'''", "<http://HERE/x>", "{ ?a ?b ?c }"]
PIECES += ["&&", "x:", "_:", "@en", "^^", "FILTER"]


@given(st.lists(st.sampled_from(PIECES), max_size=12))
def test_no_mixture_has_the_engine_ask_somebody(pieces: list[str]) -> None:
    listener = Listener()
    text = listener.named_in("SELECT * { {SELECT (1 AS ?o) {}} FILTER(?o" + "".join(pieces) + "\n}")
    with suppress(SparqlTextError):
        asked(rewrite_query(text))
    assert listener.visits() == 0
    listener.opened.close()


def test_no_bracket_of_an_iri_stands_in_the_body() -> None:
    text = "PREFIX x: <urn:x:> SELECT * { <urn:a> x:b <urn:a>, '<urn:b>' FILTER(?a<1&&?b <= 2) }"
    assert rewrite_query(text) == (
        'PREFIX x: <urn:x:>  PREFIX i0: <urn:a> SELECT * { i0: x:b i0: , "<urn:b>" FILTER ( ?a < 1 && ?b <= 2 ) } '
    )


TERMS = {
    "'''a\n'b\\\n''c\\\"'''": None,
    "'''a\n'b\\n''c\\\"'''": Literal("a\n'b\n''c\""),
    '"""\t\\\\ "" """': Literal('\t\\ "" '),
    "'ça'@fr": Literal("ça", language="fr"),
    f"'5'^^<{XSD}integer>": Literal("5", datatype=NamedNode(XSD + "integer")),
    "-1.5e3": Literal("-1500", datatype=NamedNode(XSD + "double")),
    ".5": Literal("0.5", datatype=NamedNode(XSD + "decimal")),
    "<urn:x:é#SERVICE>": NamedNode("urn:x:é#SERVICE"),
    "x:a.b%2Fc": NamedNode("urn:x:a.b%2Fc"),
    "i0:c": NamedNode("urn:i:c"),
    "true": Literal(True),
}


@pytest.mark.parametrize(("written", "term"), TERMS.items(), ids=repr)
def test_a_term_is_the_same_after_it_was_written_anew(written: str, term: Literal | NamedNode | None) -> None:
    query = f"# first\nPREFIX x: <urn:x:>\nPREFIX i0: <urn:i:> SELECT ?o {{ VALUES ?o {{ {written} }} }}"
    if term is None:
        with pytest.raises(SparqlTextError, match="no escape"):
            rewrite_query(query)
        return
    (row,) = asked(rewrite_query(query))
    assert row["o"] == term


def test_operators_paths_and_functions_are_the_same_after_they_were_written_anew() -> None:
    a, b = NamedNode("urn:a"), NamedNode("urn:b")
    store = Store()
    store.extend([Quad(a, NamedNode("urn:knows"), b), Quad(b, NamedNode("urn:n"), Literal(5))])
    query = f"""SELECT ?n (<{XSD}string>(?n-1*-2) AS ?m) {{ <urn:a> <urn:knows>+/^<urn:no>*/<urn:n> ?n .
        <urn:a> <urn:no>|<urn:knows>? ?who FILTER(?n<=5 && !(?n!=5) || ?n>7) }} GROUP BY ?n HAVING(COUNT(*)>0)"""
    answer: Any = store.query(rewrite_query(query))
    (row,) = answer
    assert (row["n"], row["m"]) == (Literal(5), Literal("7"))


def test_a_line_stays_where_it_was() -> None:
    query = "# one\nPREFIX x: <urn:x:> # two\nSELECT *\n{ ?s ?p '''a\nb''' .\n <urn:a> }"
    with pytest.raises(SyntaxError, match="error at 6:"):
        Store().query(rewrite_query(query))
