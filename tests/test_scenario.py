"""One history, the same on both engines: receipts, refusals, the whole graph, and the answers to questions.

Everything is compared with tests/vectors/scenario.json, which `A2AP_WRITE_VECTORS=1 pytest tests/test_scenario.py`
writes again after a change that is meant; its diff shows what the change means.
"""

import json
import os
from collections.abc import AsyncIterator
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from builders import (
    SOURCE,
    TIME,
    agent_id,
    agent_key,
    envelope_of,
    reference_to,
    segment,
    signed_endorsement,
    signed_registration,
    signed_request,
    signed_response,
    signed_source,
    signed_statement,
)
from graph_contents import run_raw
from http_client import OPERATOR, ask, open_client
from scenario import pieces, signed_node_policy
from vectors_file import VECTORS, load_vectors

from a2ap.boundary import Boundary
from a2ap.canonical import sha256_digest
from a2ap.messages.finding import FindingStatus
from a2ap.messages.verification_response import Verdict
from graph.content.content_store import open_content_store
from graph.log.entry import Receipt, as_row
from graph.node import node_from_key
from graph.platform import Platform, platform_on
from graph.scores.on_demand import consensus_of_statements
from graph.settings import Settings
from graph.store import Store

NOW = datetime(2026, 2, 3, 4, 5, 6, 789, tzinfo=UTC)
AUTHOR, CRITIC, VERIFIER_A, VERIFIER_B, OPERATOR_A, OPERATOR_B, PUBLISHER, STRANGER = 1, 2, 3, 4, 11, 12, 13, 21
EVERYBODY = (AUTHOR, CRITIC, VERIFIER_A, VERIFIER_B, OPERATOR_A, OPERATOR_B, PUBLISHER, STRANGER)
MINUTES_ID = "urn:doc:test:minutes"
MINUTES = b"Minutes: the motion carried, five votes to two."

LIMIT = signed_statement(AUTHOR)
TABLES = signed_statement(
    AUTHOR,
    claim="Café owners want outdoor tables.",
    confidence=0.75,
    evidence=[segment("café owners on Elm Street"), segment("outdoor tables", relevance_score=None)],
    supports=[reference_to(LIMIT)],
)
VOTE = signed_statement(
    CRITIC, claim="The motion carried.", evidence=[segment("motion carried", source=MINUTES, source_id=MINUTES_ID)]
)
GONE = signed_statement(
    CRITIC,
    claim="The height limit is gone.",
    evidence=[segment("forty feet", document_hash=None, content_hash=None)],
    generation_method=None,
    contradicts=[reference_to(LIMIT), reference_to(TABLES)],
)
KEPT = signed_statement(CRITIC, claim="The height limit stays.", was_revision_of=reference_to(GONE))
STATEMENTS = {"limit": LIMIT, "tables": TABLES, "vote": VOTE, "gone": GONE, "kept": KEPT}

KEYS = ("chunk_key", "document_key", "source_id", "key_id", "signed_hash", "family_id")
QUESTION = """
query ($id: ID!, $author: ID!) {
  statement(id: $id) {
    id claimText confidence consensusScore verified
    generatedBy { id name version publisher reputation endorsedBy { id } }
    evidence { id text byteStart byteEnd document { id title boundary held source { id title publisher } } }
    verifications { verdict confidence agent { id reputation } findings { criterion status confidence evidence } }
  }
  consensusTimeline(statementId: $id) { nodes { verifiedAt verdict confidence score verified } }
  evidenceChain(statementId: $id) { id text }
  agreements { nodes { agents { id } agreements } }
  computeConsensus(statementId: $id) { score verified reasons counted ignored { verifier reason } }
  literal: computeConsensus(statementId: $id, method: "a2ap-0.1") { score verified }
  agent(id: $author) { id statements { id claimText verified } }
}
"""


@pytest_asyncio.fixture
async def platform(store: Store, tmp_path: Path) -> AsyncIterator[Platform]:
    """Yield a platform with a node, a key of its log and a clock that are always the same."""
    settings, node = Settings(data=tmp_path), node_from_key(agent_key(1000))
    content = open_content_store(settings)
    async with platform_on(store, content, node, settings, clock=lambda: NOW, log_signer=agent_key(1001)) as platform:
        yield platform


def history(platform: Platform) -> list[list[bytes]]:
    """Return what is handed in, batch by batch; the minutes arrive before the last."""
    partial = {"criteria": ("source-accuracy",)}
    return [
        [signed_registration(seed) for seed in EVERYBODY],
        [
            signed_endorsement(signed_registration(VERIFIER_A), OPERATOR_A),
            signed_endorsement(signed_registration(VERIFIER_B), OPERATOR_B),
            signed_endorsement(signed_registration(AUTHOR), PUBLISHER),
            signed_node_policy(platform, seeds=(agent_id(OPERATOR_A), agent_id(OPERATOR_B))),
            signed_source(AUTHOR),
            signed_source(CRITIC, source=MINUTES, source_id=MINUTES_ID, boundary=Boundary.INTERNAL),
            signed_source(STRANGER, title="My recording", boundary=Boundary.PUBLIC),
        ],
        [LIMIT, TABLES, VOTE, GONE, KEPT, LIMIT, signed_statement(99)],
        [
            signed_request(LIMIT, CRITIC),
            signed_response(LIMIT, VERIFIER_A, time=TIME.replace(hour=11)),
            signed_response(LIMIT, STRANGER, confidence=0.6, time=TIME.replace(hour=12)),
            signed_response(LIMIT, VERIFIER_B, confidence=0.95, time=TIME.replace(hour=13)),
            signed_response(LIMIT, AUTHOR, confidence=1.0, time=TIME.replace(hour=14)),
            signed_response(TABLES, VERIFIER_A, time=TIME.replace(hour=11)),
            signed_response(TABLES, VERIFIER_B, **partial, time=TIME.replace(hour=12)),
            signed_response(VOTE, VERIFIER_A, time=TIME.replace(hour=11)),
            signed_response(VOTE, VERIFIER_B, time=TIME.replace(hour=12)),
            signed_response(GONE, VERIFIER_A, verdict=Verdict.CHALLENGED, reason="The source says otherwise."),
            signed_response(GONE, VERIFIER_B, verdict=Verdict.INSUFFICIENT_EVIDENCE, status=FindingStatus.INCONCLUSIVE),
            signed_response(GONE, STRANGER, verdict=Verdict.INVALID_SIGNATURE, findings=()),
        ],
        [
            signed_response(TABLES, VERIFIER_B, confidence=0.99, time=TIME.replace(hour=15)),
            signed_response(LIMIT, STRANGER, verdict=Verdict.CHALLENGED, confidence=0.3, time=TIME.replace(hour=15)),
            signed_node_policy(platform, 2, seeds=(agent_id(OPERATOR_A), agent_id(OPERATOR_B)), threshold=0.75),
            signed_statement(AUTHOR, claim="Never said.", evidence=[segment() | {"quoteText": "Never said."}]),
        ],
    ]


@pytest.mark.both_engines
async def test_the_whole_answer_is_the_same_on_both_engines(platform: Platform, tmp_path: Path) -> None:
    *batches, last = history(platform)
    outcomes: list[Any] = []
    for batch in batches:
        outcomes += await platform.submit_many(batch)
        if batch[0] == signed_endorsement(signed_registration(VERIFIER_A), OPERATOR_A):
            await platform.sources.put(sha256_digest(SOURCE), pieces(SOURCE))
    await platform.sources.put(sha256_digest(MINUTES), pieces(MINUTES))
    outcomes += await platform.submit_many(last)

    found = json.loads(json.dumps(await answer(platform, outcomes, tmp_path), default=written))
    if os.environ.get("A2AP_WRITE_VECTORS"):
        text = json.dumps(found, indent=1, ensure_ascii=False, sort_keys=True)
        (VECTORS / "scenario.json").write_text(text + "\n", encoding="utf-8")
    expected = load_vectors("scenario.json")
    assert found.keys() == expected.keys()
    for part in expected:
        assert found[part] == expected[part]


async def answer(platform: Platform, outcomes: list[Any], folder: Path) -> dict[str, Any]:
    """Return all that can be seen of the history."""
    store = platform.store
    hashes = {name: envelope_of(statement).signed_hash for name, statement in STATEMENTS.items()}
    consensus = await consensus_of_statements(store, list(hashes.values()))
    async with open_client(platform, folder) as client:
        ids = {"id": envelope_of(LIMIT).id, "author": agent_id(AUTHOR)}
        asked = await ask(client, QUESTION, ids, token=OPERATOR)
        asked["agreements"] = asked["agreements"]["nodes"]
    return {
        "outcomes": [
            {"created": outcome.created, **as_row(outcome.entry)}
            if isinstance(outcome, Receipt)
            else f"{type(outcome).__name__}: {outcome}"
            for outcome in outcomes
        ],
        "nodes": await nodes(store),
        "relationships": await relationships(store),
        "log": await store.read("log_entries_from", start=0, first=1000),
        "judgements": await store.read("judgements_of", hashes=list(hashes.values())),
        "statuses": await store.read("statuses_of", hashes=sorted(hashes.values())),
        "scores": {name: asdict(consensus[signed_hash]) for name, signed_hash in hashes.items()},
        "appendix B": {
            "agreements": await store.read("examples/agreements"),
            "timeline": await store.read("examples/consensus_timeline", id=envelope_of(LIMIT).id),
            "evidence": [
                {column: row[column] for column in ("chunk", "document", "source")}
                for row in await store.read("examples/evidence_chain", id=envelope_of(TABLES).id)
            ],
            "about": await store.read("examples/statements_about_topic", topic="Elm Street"),
        },
        "question": asked,
    }


async def nodes(store: Store) -> dict[str, list[dict[str, Any]]]:
    """Return every node's properties by label, in the order of what they say."""
    found: dict[str, list[dict[str, Any]]] = {}
    for row in await run_raw(store, "MATCH (n) RETURN labels(n)[0] AS label, properties(n) AS properties"):
        properties = {name: value for name, value in row["properties"].items() if value is not None}
        if row["label"] == "LogHead":
            del properties["lock"]  # the last writer's random number
        found.setdefault(row["label"], []).append(properties)
    return {label: sorted(rows, key=as_text) for label, rows in found.items()}


async def relationships(store: Store) -> list[dict[str, Any]]:
    """Return every relationship with its properties and with what tells its ends from all others."""
    query = """
        MATCH (a)-[r]->(b)
        RETURN type(r) AS type, properties(r) AS properties, properties(a) AS start, properties(b) AS end
    """
    rows = [
        {
            "type": row["type"],
            "start": key_of(row["start"]),
            "end": key_of(row["end"]),
            "properties": {name: value for name, value in row["properties"].items() if value is not None},
        }
        for row in await run_raw(store, query)
    ]
    return sorted(rows, key=as_text)


def key_of(node: dict[str, Any]) -> str:
    """Return the value of the property that tells a node from all others."""
    # An agent has the id of its key as well.
    names = ("agent_id",) if "reputation" in node else KEYS
    return next(str(node[name]) for name in names if node.get(name) is not None)


def as_text(value: Any) -> str:
    return json.dumps(value, sort_keys=True, default=written)


def written(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else sorted(value)
