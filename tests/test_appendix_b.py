"""The specification's four example queries (Appendix B), as an analyst would paste them, on both engines."""

from typing import Any

import pytest
from builders import QUOTE, SOURCE_ID, agent_id, envelope_of, signed_statement
from graph_contents import run_raw
from platform_fixture import platform
from scenario import STRANGER, accept, verified_world

from cypher import load_query, query_names
from graph.platform import Platform

__all__ = ["platform"]

OURS = {"examples/version_drift"}
EXAMPLES = [name for name in query_names() if name.startswith("examples/")]


async def paste(platform: Platform, name: str, **parameters: Any) -> list[dict[str, Any]]:
    """Run an example as it stands in its file, comments and all."""
    return await run_raw(platform.store, load_query(f"examples/{name}").text, **parameters)


def test_there_is_a_file_for_each() -> None:
    assert EXAMPLES == [
        "examples/agreements",
        "examples/consensus_timeline",
        "examples/evidence_chain",
        "examples/statements_about_topic",
        "examples/version_drift",
    ]


@pytest.mark.parametrize("name", EXAMPLES)
def test_each_reads_without_knowing_the_platform(name: str) -> None:
    query = load_query(name)
    assert query.doc.endswith("?")
    assert "Appendix B" in query.text or name in OURS
    assert "LIMIT" in query.text


async def test_statements_about_a_topic(platform: Platform) -> None:
    world = await verified_world(platform)
    for topic in ("zoning map", "council"):
        (row,) = await paste(platform, "statements_about_topic", topic=topic)
        assert row["statement"]["statement_id"] == envelope_of(world.statement).id
        assert [chunk["text"] for chunk in row["evidence"]] == [QUOTE]
    assert await paste(platform, "statements_about_topic", topic="Zoning") == [], "CONTAINS minds the case"


async def test_the_evidence_chain_of_a_statement(platform: Platform) -> None:
    world = await verified_world(platform)
    (row,) = await paste(platform, "evidence_chain", id=envelope_of(world.statement).id)
    assert row["chunk"]["text"] == QUOTE
    assert row["document"]["title"] == "City council meeting"
    assert row["source"]["source_id"] == SOURCE_ID


async def test_agents_that_agree(platform: Platform) -> None:
    await verified_world(platform)
    rows = await paste(platform, "agreements")
    verifiers = [row for row in rows if "A2AP node" not in (row["agent"], row["other"])]
    assert verifiers == [{"agent": "Test agent 2", "other": "Test agent 3", "agreements": 1}]
    assert len(rows) == 3, "as Appendix B asks, the node's own check counts here"


async def test_the_consensus_timeline_of_a_statement(platform: Platform) -> None:
    world = await verified_world(platform)
    await accept(platform, signed_statement(STRANGER, claim="Another."))
    rows = await paste(platform, "consensus_timeline", id=envelope_of(world.statement).id)
    assert [row["verdict"] for row in rows] == ["VALIDATED"] * 3
    assert rows == sorted(rows, key=lambda row: row["verified_at"])
    assert [row["confidence"] for row in rows] == [0.89, 0.89, 1.0]
    assert await paste(platform, "consensus_timeline", id=agent_id(1)) == []
