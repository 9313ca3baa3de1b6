"""The check of queries that others wrote: what may run, what is refused and why, and that any text ends in either."""

import json
import re
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vectors_file import VECTORS

from cypher import load_query, query_names
from graph.cypher_text.check import check_query
from graph.cypher_text.guards import KeySet, guarded_owner, key_sets
from graph.cypher_text.limits import MAX_COLLECTED, MAX_ROWS, MAX_TEXT
from graph.cypher_text.query import CheckedQuery
from graph.cypher_text.shapes import node, relationship
from graph.cypher_text.tokens import Sort, read_tokens
from graph.cypher_text.vocabulary import RELATIONSHIPS, ends_of, withheld_of
from graph.dictionary.labels import EDGE_LABELS, SOURCE_TEXTS
from graph.errors import CypherTextError

HOSTILE = json.loads((VECTORS / "hostile_cypher.json").read_text(encoding="utf-8"))
GUARDED = re.compile(r"\(CASE WHEN NOT \(.*?\) THEN \w+\.\w+ END\)")
WRITES = re.compile(
    r"\b(CREATE|MERGE|SET|REMOVE|DELETE|DETACH|FOREACH|LOAD|INSERT|DROP|ALTER|GRANT|USE|TRANSACTIONS|PROFILE|EXPLAIN)\b"
)


def check(text: str, *, withheld: bool = False, **parameters: Any) -> CheckedQuery:
    return check_query(text, parameters, withheld=withheld)


@pytest.mark.parametrize("vector", HOSTILE, ids=lambda vector: f"{vector['group']}-{vector['text'][:40]!a}")
def test_what_is_hostile_is_refused(vector: dict[str, str]) -> None:
    with pytest.raises(CypherTextError):
        check(vector["text"], withheld=vector["group"] == "leak")


def test_there_are_hostile_texts_of_every_kind() -> None:
    counted = Counter(vector["group"] for vector in HOSTILE)
    assert counted.total() >= 200
    assert min(counted.values()) >= 8


@pytest.mark.parametrize("vector", [one for one in HOSTILE if one["group"] == "leak"], ids=lambda one: one["text"][:50])
def test_what_would_leak_may_run_where_nothing_is_withheld(vector: dict[str, str]) -> None:
    """So that these are refused for what they read, and not for their form."""
    assert check(vector["text"]).text


@pytest.mark.parametrize("vector", [one for one in HOSTILE if one["group"] == "leak"], ids=lambda one: one["text"][:50])
def test_what_would_leak_is_guarded_or_refused_where_words_are_withheld_by_row(vector: dict[str, str]) -> None:
    try:
        text = check_query(vector["text"], {}, withheld=True, by_row=True).text
    except CypherTextError:
        return
    words = {name for names in SOURCE_TEXTS.values() for name in names}
    assert GUARDED.search(text)
    assert not words & set(re.findall(r"\.(\w+)", GUARDED.sub("", text)))


@pytest.mark.parametrize("owner", SOURCE_TEXTS)
def test_words_of_each_label_are_guarded(owner: str) -> None:
    shape = relationship([owner]) if owner in RELATIONSHIPS else node([owner])
    for name in SOURCE_TEXTS[owner]:
        assert guarded_owner(shape, name) == owner
    assert key_sets(owner)


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (n:Chunk|ChallengeAnswer) RETURN n.text",
        "MATCH (a:Agent)-[:GENERATED]->(n) RETURN n.content_hash, n.title, n.machine_reason UNION RETURN 1 AS one",
        "MATCH (c:Chunk {text: 'x'}) RETURN c.chunk_id",
        "MATCH (c:Chunk) RETURN head([one IN [c] WHERE one.text = 'x']).text AS text",
        "MATCH (p:Packet) RETURN p.task_ref",
        "MATCH (d:Document) RETURN d.title",
        "CALL db.index.fulltext.queryNodes('chunk_text', 'mayor') YIELD node RETURN node.text",
    ],
)
def test_words_are_refused_where_no_guard_can_stand(text: str) -> None:
    with pytest.raises(CypherTextError):
        check_query(text, {}, withheld=True, by_row=True)


def test_no_parameter_of_a_caller_stands_for_withheld_keys() -> None:
    text = "MATCH (c:Chunk) WHERE c.doc_id IN $withheld_documents RETURN c.text AS text"
    query = check_query(text, {"withheld_documents": []}, withheld=True, by_row=True)
    assert query.key_sets[KeySet.DOCUMENTS] == "withheld_documents_"
    assert "$withheld_documents_[coalesce(" in query.text
    assert "$withheld_documents[" not in query.text


def values_for(name: str) -> dict[str, Any]:
    lists = ("statements", "documents", "readable")
    return {one: ["sha256:0"] if one in lists else 10 if one == "first" else "x" for one in load_query(name).parameters}


@pytest.mark.parametrize("name", [name for name in query_names() if "/" in name])
def test_every_query_that_we_give_out_passes(name: str) -> None:
    query = check(load_query(name).text, **values_for(name))
    assert "LIMIT" in query.text
    assert "//" not in query.text


@pytest.mark.parametrize(
    "name", [name for name in query_names() if name.startswith("questions/") and "named" not in name]
)
def test_every_query_that_answers_a_question_passes_where_words_are_withheld(name: str) -> None:
    assert check(load_query(name).text, withheld=True, **values_for(name)).text


def test_a_query_is_written_anew() -> None:
    query = check(
        """
        // what is verified?
        match (s:Statement)<-[:GENERATED]-(a:Agent {name: "O'Neill \\u0041"}) /* here */
        where s.consensus_score >= 0.7 and not s.claim_text contains 'CREATE (n)' and a.version in ['1', $two]
        return distinct a.name, s.claim_text as claim, count(*) order by claim desc skip 1 limit 5;
        """,
        two="2",
    )
    assert query.text == (
        "MATCH (s:Statement)<-[:GENERATED]-(a:Agent {name: $value_0})\n"
        "WHERE s.consensus_score >= $value_1 AND NOT s.claim_text CONTAINS $value_2 AND a.version IN [$value_3, $two]\n"
        "RETURN DISTINCT a.name AS name, s.claim_text AS claim, count(*) AS count\n"
        "ORDER BY claim DESC\nSKIP 1\nLIMIT 5"
    )
    assert query.parameters == {
        "value_0": "O'Neill A",
        "value_1": 0.7,
        "value_2": "CREATE (n)",
        "value_3": "1",
        "two": "2",
    }
    assert query.columns == ("name", "claim", "count")


@pytest.mark.parametrize("text", ["RETURN 1 AS one", "RETURN 1 AS one LIMIT 9999999", "RETURN 1 AS one LIMIT $value_0"])
def test_what_is_returned_is_bounded(text: str) -> None:
    parameters: dict[str, Any] = {"value_0": 5_000} if "$" in text else {}
    query = check(text, **parameters)
    assert query.text.endswith(f"LIMIT {MAX_ROWS + 1}"), "one more than is given says that there are more"


def test_what_is_collected_is_bounded() -> None:
    text = check("MATCH (s:Statement) RETURN collect(DISTINCT s.claim_text) AS claims").text
    assert f"collect(DISTINCT s.claim_text)[0..{MAX_COLLECTED}]" in text


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (s:Statement) RETURN s.signed_hash AS h UNION ALL MATCH (s:Statement) RETURN s.statement_id AS h",
        "MATCH (s:Statement) CALL (s) { MATCH (s)-[:CITES]->(c:Chunk) RETURN c LIMIT 1 } RETURN c.chunk_id",
        "MATCH (a:Agent {agent_id: 'x'}) MATCH (b:Agent {agent_id: 'y'}) RETURN a.name, b.name",
        "MATCH (s:Statement) WHERE EXISTS { (s)-[:CITES]->(c:Chunk) WHERE c.byte_start > 5 } RETURN count(s) AS n",
        "MATCH (s:Statement) RETURN s.signed_hash, COUNT { (s)<-[:VALIDATES]-(:Verification) } AS verdicts",
        "MATCH p = (a:Agent)-[:ENDORSED*1..3]->(b) RETURN [n IN nodes(p) | n.name] AS names, length(p) AS hops",
        "UNWIND range(1, 10) AS n RETURN n * n + 1 AS square",
        "MATCH (s:Statement) WITH s ORDER BY s.log_index DESC LIMIT 1 MATCH (d:Document) RETURN d.document_key",
        "MATCH (s:Statement) RETURN CASE WHEN s.verified THEN 'yes' ELSE 'no' END AS verified, count(*) AS n",
        "MATCH (s:Statement) WHERE s.generated_at > datetime('2025-01-01T00:00:00Z') - duration('P1D') RETURN s",
        "MATCH (s:Statement) RETURN max(s.consensus_score) - min(s.consensus_score) AS spread, -1 AS less",
        "MATCH (s:Statement) WHERE any(x IN s.carried_by WHERE x STARTS WITH 'urn:') RETURN s.signed_hash",
        "CALL db.index.fulltext.queryNodes('statement_text', 'zoning AND map', {limit: 5}) YIELD node AS s, score "
        "WHERE s.verified RETURN s.claim_text, score",
        "MATCH (s:Statement {signed_hash: $h})-[:SUPPORTS|CONTRADICTS]-(o:Statement) RETURN o {hash: 1}".replace(
            "o {hash: 1}", "{hash: o.signed_hash} AS o"
        ),
    ],
)
def test_what_reads_may_run(text: str) -> None:
    parameters: dict[str, Any] = {"h": "sha256:0"} if "$h" in text else {}
    assert not WRITES.search(check(text, **parameters).text)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("MATCH (s:Statement) SET s.verified = true", "'SET' begins no clause that may be run, at line 1, column 21"),
        ("MATCH (s:Statement)\nRETURN s.secret", "Statement has no property secret, at line 2, column 10"),
        ("MATCH (s:Secret) RETURN s", "'Secret' is no label of this graph"),
        ("MATCH (s) RETURN s", "a node has no label"),
        ("RETURN $x AS x", "the parameter x is not given"),
        ("RETURN x", "nothing is called x"),
        ("RETURN 'a' + 'b' AS c", r"\+ is for numbers"),
        ("RETURN 1 AS one; RETURN 2 AS two", "'RETURN' stands behind the end of the query"),
        ("RETURN rand() AS r", "rand is no function that may be called"),
        ("MATCH (a:Agent)-[:ENDORSED*]->(b) RETURN a", "a path has no bound"),
        ("MATCH (a:Agent), (b:Agent) RETURN a", "a pattern hangs together with nothing before it"),
    ],
)
def test_a_refusal_says_what_and_where(text: str, why: str) -> None:
    with pytest.raises(CypherTextError, match=why):
        check(text)


@pytest.mark.parametrize(
    ("parameters", "why"),
    [
        ({"x": 1, "y": 2}, "does not use the parameter y"),
        ({"x": 2**63}, "beyond 64 bits"),
        ({"x": "a" * 20_000}, "more than 10000 characters"),
        ({"x": list(range(2_000))}, "more than 1000 elements"),
        ({"x": [[[[[[1]]]]]]}, "more than 4 deep"),
        ({"x": b"bytes"}, "no value of JSON"),
        ({"x": float("nan")}, "no number of JSON"),
        ({"x": [float("-inf")]}, "no number of JSON"),
        ({"x": "\ud800"}, "a character that is none"),
        ({f"x{n}": n for n in range(60)}, "60 parameters"),
    ],
)
def test_parameters_are_bounded(parameters: dict[str, Any], why: str) -> None:
    with pytest.raises(CypherTextError, match=why):
        check("RETURN $x AS x", **parameters)


def test_a_long_text_is_not_read() -> None:
    with pytest.raises(CypherTextError, match="more than 8000"):
        check("RETURN 1 AS one " + " " * MAX_TEXT)


_WORDS = r"""
MATCH ( ) [ ] { } - -> <- < > = <> | : :Statement :Agent :Chunk :CITES s c a . , ; * 1..3 WHERE RETURN WITH UNWIND
AS UNION ALL CALL YIELD ORDER BY LIMIT SKIP OPTIONAL EXISTS COUNT count collect s.claim_text c.text 'x' "y" 1 2.5 $p
AND OR NOT IN IS NULL CASE WHEN THEN ELSE END DISTINCT + / % ^ CREATE SET DELETE `s` // /* */ \u0041 \ é
"""
_PIECES = st.sampled_from(_WORDS.split())


@given(st.one_of(st.text(max_size=200), st.lists(_PIECES, max_size=40).map(" ".join)), st.booleans())
def test_any_text_comes_out_as_a_query_or_as_one_refusal(text: str, withheld: bool) -> None:
    try:
        query = check_query(text, {"p": 1} if "$p" in text else {}, withheld=withheld)
    except CypherTextError as error:
        assert str(error) and "\n" not in str(error)
        return
    assert not WRITES.search(query.text)
    assert query.text.isascii()
    # What was written anew is read again, and comes out the same.
    again = check_query(query.text, dict(query.parameters), withheld=withheld)
    assert again.columns == query.columns


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=60))
def test_a_text_in_a_query_is_a_value_and_nothing_else(value: str) -> None:
    escaped = value.replace("\\", "\\\\").replace("'", "\\'")
    query = check(f"RETURN '{escaped}' AS value")
    assert list(query.parameters.values()) == [value]
    assert query.text == f"RETURN $value_0 AS value\nLIMIT {MAX_ROWS + 1}"


@given(st.text(max_size=120))
def test_words_are_read_or_refused(text: str) -> None:
    try:
        tokens = read_tokens(text)
    except CypherTextError:
        return
    assert tokens[-1].sort is Sort.END
    assert all(token.text.isascii() for token in tokens if token.sort is not Sort.TEXT)


def test_relationships_are_those_that_are_exported() -> None:
    assert RELATIONSHIPS.keys() == EDGE_LABELS.keys()
    for kind, (start, end) in EDGE_LABELS.items():
        assert ends_of([kind]) == (frozenset(start.split("|")), frozenset(end.split("|"))), kind


def test_what_exports_withhold_is_withheld_here() -> None:
    assert withheld_of("Chunk") == {"text", "content_hash"}
    assert withheld_of("CITES") == {"quote_text", "content_hash"}
    assert "reason" in withheld_of("Verification")
    assert {"task_ref", "producer_id"} <= withheld_of("Packet")
    assert withheld_of("Document") == {"title", "media_type", "licence", "rights_holder"}
    assert withheld_of("Source") == {"title", "publisher", "origin"}
    assert withheld_of("Agent") == frozenset()
