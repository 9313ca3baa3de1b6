"""Whatever is valid by the schema is answered or refused for a reason, whoever asks it: nothing fails inside."""

from collections import Counter
from pathlib import Path
from typing import Any

import httpx
import pytest
import schemathesis
from builders import SOURCE_ID, agent_id, envelope_of
from http_client import OPERATOR, READERS, bearer, client
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from platform_fixture import platform
from scenario import AUTHOR, VERIFIER_A, verified_world
from schemathesis.core.result import Ok
from schemathesis.graphql import nodes
from schemathesis.specs.graphql.scalars import CUSTOM_SCALARS

from graph.platform import Platform

__all__ = ["client", "platform"]

SCHEMA = Path(__file__).parent / "schema.graphql"
EXAMPLES = 3  # of each field of the root; each is a request of every reader
TOKENS = {"the operator": OPERATOR, "a reader": READERS["confidential"], "nobody": None}
FAILED = "INTERNAL"

# Of sizes of the log those that it has had are two, so that there is room for both graphs of the past.
INTEGERS = [1, 2, 200, 0, -1, 201, -(2**31), 2**31 - 1]
LENGTHS = [0, 1, 2**31, 2**53, 2**64]
TIMES = ["2026-03-01T00:00:00Z", "2100-01-01T00:00:00+14:00", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999Z"]


@pytest.mark.timeout(1800)  # a hang; on a quiet machine it takes half a minute
async def test_no_operation_fails_inside_whoever_asks_it(
    platform: Platform, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    statement = envelope_of((await verified_world(platform)).statement)
    names = [agent_id(AUTHOR), agent_id(VERIFIER_A), statement.id, statement.signed_hash, SOURCE_ID, "zoning"]
    operations = thought_of(names, monkeypatch)
    codes, wrong = Counter[str](), []
    for who, token in TOKENS.items():
        for text in operations:
            answer = await client.post("/graphql", json={"query": text}, headers=bearer(token) if token else {})
            found = codes_of(answer)
            codes.update(found or {"answered"})
            if FAILED in found:
                wrong.append((who, text, answer.text))
    assert wrong == []
    assert len(operations) > 200
    assert codes["answered"] > 200, codes


def codes_of(answer: httpx.Response) -> set[str]:
    """Return the codes of the errors of an answer."""
    if answer.status_code >= 500:
        return {FAILED}
    if answer.status_code >= 400 and "errors" not in answer.json():
        return {answer.json()["code"]}
    return {error["extensions"]["code"] for error in answer.json().get("errors", ())}


def thought_of(names: list[str], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a few operations for each field of the root, which may speak of these names."""
    texts = (st.sampled_from(names) | st.text(max_size=8)).map(nodes.String)
    scalars = {
        "ID": texts,
        "String": texts,
        "Int": st.sampled_from(INTEGERS).map(nodes.Int),
        "ByteCount": st.sampled_from(LENGTHS).map(nodes.Int),
        "DateTime": st.sampled_from(TIMES).map(nodes.String),
        "JSON": st.none().map(lambda _: nodes.Null),
    }
    for name, strategy in scalars.items():
        monkeypatch.setitem(CUSTOM_SCALARS, name, strategy)
    with SCHEMA.open(encoding="utf-8") as file:
        schema = schemathesis.graphql.from_file(file)
    fields = [one.ok() for one in schema.get_all_operations() if isinstance(one, Ok)]
    return [text for field in fields for text in thought_of_field(field)]


def thought_of_field(field: Any) -> list[str]:
    found = []

    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=field.as_strategy())
    def think(case: Any) -> None:
        found.append(str(case.body))

    think()
    return found
