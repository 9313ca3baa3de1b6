"""What an earlier version has left in a database is brought up to date when it is opened."""

from graph_contents import run_raw

from cypher import SchemaStatement, upgrade_statements
from graph.clearance import ANONYMOUS
from graph.database.endpoint import Endpoint
from graph.search.statements import search_statements
from graph.store import Store, connect_store

# The full-text index of claims as the versions before made it.
BEFORE = {
    "neo4j": (
        SchemaStatement("cypher", "DROP INDEX statement_text IF EXISTS"),
        SchemaStatement("cypher", "CREATE FULLTEXT INDEX statement_text FOR (n:Statement) ON EACH [n.claim_text]"),
        SchemaStatement("cypher", "CALL db.awaitIndexes(60)"),
    ),
    "embedded": (
        SchemaStatement("sql", "DROP INDEX statement_text IF EXISTS"),
        SchemaStatement("sql", "CREATE INDEX statement_text ON Statement (claim_text) FULL_TEXT"),
        SchemaStatement("sql", "ALTER TYPE Statement CUSTOM words = null"),
    ),
}


async def test_a_full_text_index_without_forms_of_words_is_made_anew(store: Store, engine: Endpoint) -> None:
    await store.define(BEFORE[store.kind])
    await run_raw(store, "CREATE (:Statement {signed_hash: 'a', claim_text: 'Zones near the river'})")
    assert await search_statements(store, ANONYMOUS, "zoning", first=5) == []
    for _ in range(2):
        async with connect_store(engine) as opened:
            assert await search_statements(opened, ANONYMOUS, "zoning", first=5) == ["a"]
    assert await search_statements(store, ANONYMOUS, "rivers", first=5) == ["a"]


def test_both_engines_are_upgraded_in_the_same_steps() -> None:
    for step in ("check", "before", "after"):
        found = {kind: upgrade_statements(kind, "english", step) for kind in ("neo4j", "embedded")}
        assert all(one.language == ("cypher" if kind == "neo4j" else "sql") for kind in found for one in found[kind])
    assert len(upgrade_statements("neo4j", "english", "before")) == 3
