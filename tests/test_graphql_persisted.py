"""Operations that are known by the hash of their text."""

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from graphql import GraphQLError

from graph.graphql.persisted import MAX_KEPT, MAX_KEPT_LENGTH, PersistedQueries, read_queries
from graph.graphql.schema import OperationRules, create_schema
from graph.settings import SettingsError

TEXT = "{ __typename }"


def named(text: str = TEXT, **changes: Any) -> dict[str, Any]:
    return {"persistedQuery": {"version": 1, "sha256Hash": sha256(text.encode()).hexdigest(), **changes}}


def code_of(persisted: PersistedQueries, query: str | None, extensions: Any) -> str:
    with pytest.raises(GraphQLError) as caught:
        persisted.text_of(query, extensions)
    return str((caught.value.extensions or {})["code"])


def test_a_hash_stands_for_the_text_that_was_kept_with_it() -> None:
    persisted = PersistedQueries()
    assert code_of(persisted, None, named()) == "PERSISTED_QUERY_NOT_FOUND"
    assert persisted.text_of(TEXT, named()) == TEXT
    # Only what turned out to be a valid operation is kept.
    assert code_of(persisted, None, named()) == "PERSISTED_QUERY_NOT_FOUND"
    persisted.keep(TEXT, named())
    assert persisted.text_of(None, named()) == TEXT
    assert persisted.text_of(None, named(sha256Hash=named()["persistedQuery"]["sha256Hash"].upper())) == TEXT


def test_what_comes_without_a_hash_is_run_and_not_kept() -> None:
    persisted = PersistedQueries()
    assert persisted.text_of(TEXT, None) == TEXT
    persisted.keep(TEXT, {"cost": True})
    assert code_of(persisted, None, named()) == "PERSISTED_QUERY_NOT_FOUND"


def test_a_text_of_another_hash_is_refused() -> None:
    assert code_of(PersistedQueries(), TEXT, named("{ a }")) == "PERSISTED_QUERY_MISMATCH"


@pytest.mark.parametrize("stated", ["x", {}, {"sha256Hash": 5}, {"sha256Hash": "a", "version": 2}, [1]])
def test_another_protocol_is_refused(stated: Any) -> None:
    assert code_of(PersistedQueries(), TEXT, {"persistedQuery": stated}) == "PERSISTED_QUERY_NOT_SUPPORTED"


def test_as_many_are_kept_as_there_is_room_for() -> None:
    persisted = PersistedQueries()
    texts = [f"{{ a{number}: __typename }}" for number in range(MAX_KEPT + 1)]
    for text in texts[:-1]:
        persisted.keep(text, named(text))
    persisted.text_of(None, named(texts[0]))
    persisted.keep(texts[-1], named(texts[-1]))
    assert persisted.text_of(None, named(texts[0])) == texts[0]
    assert code_of(persisted, None, named(texts[1])) == "PERSISTED_QUERY_NOT_FOUND"
    long = TEXT + " " * MAX_KEPT_LENGTH
    persisted.keep(long, named(long))
    assert code_of(persisted, None, named(long)) == "PERSISTED_QUERY_NOT_FOUND"


def test_where_operations_are_listed_no_other_is_run(tmp_path: Path) -> None:
    (tmp_path / "name.graphql").write_text(f"{TEXT}\n")
    (tmp_path / "notes.txt").write_text("{ a }")
    persisted = PersistedQueries(read_queries(tmp_path))
    for text, extensions in ((TEXT, None), (f"{TEXT}\n", None), (None, named()), (None, named(f"{TEXT}\n"))):
        assert (persisted.text_of(text, extensions) or "").strip() == TEXT
    assert code_of(persisted, "{ a }", None) == "NOT_LISTED"
    assert code_of(persisted, None, named("{ a }")) == "NOT_LISTED"
    persisted.keep("{ a }", named("{ a }"))
    assert code_of(persisted, "{ a }", named("{ a }")) == "NOT_LISTED"


@pytest.mark.parametrize(
    "manifest",
    [
        {sha256(TEXT.encode()).hexdigest(): TEXT},
        {"format": "apollo-persisted-query-manifest", "version": 1, "operations": [{"id": "x", "body": TEXT}]},
    ],
)
def test_a_manifest_lists_operations_as_well(tmp_path: Path, manifest: Any) -> None:
    path = tmp_path / "queries.json"
    path.write_text(json.dumps(manifest))
    assert PersistedQueries(read_queries(path)).text_of(None, named()) == TEXT


@pytest.mark.parametrize("content", ["[]", "{}", '{"a": 5}', "{", '{"operations": []}'])
def test_a_manifest_of_nothing_is_an_error_that_names_the_variable(tmp_path: Path, content: str) -> None:
    path = tmp_path / "queries.json"
    path.write_text(content)
    with pytest.raises(SettingsError, match=r"^A2AP_GRAPHQL_QUERIES: .*queries\.json"):
        read_queries(path)
    with pytest.raises(SettingsError, match="cannot be read"):
        read_queries(tmp_path / "none")


@pytest.mark.parametrize("text", ["{", "{ nothing }", "{ a: __typename " * 20 + "}" * 20])
def test_a_listed_operation_that_cannot_be_run_is_found_at_the_start(text: str) -> None:
    with pytest.raises(SettingsError, match="A2AP_GRAPHQL_QUERIES has an operation that cannot be run"):
        create_schema(OperationRules(queries={"x": text}))
