"""Whatever a node and its agents lawfully do, no audit, rebuild or bundle finds anything.

`A2AP_HISTORIES` is the number of histories on the embedded engine, 10 unless it is set. Neo4j gets a tenth of them, and
at least 2. `make histories` plays 2,000 on the embedded engine (`tests/play_histories.py`).
"""

import os

import pytest
from honest import problems_after
from honest_history import Step, histories
from hypothesis import HealthCheck, given, settings

from graph.store import Store

pytestmark = pytest.mark.both_engines

HISTORIES = int(os.environ.get("A2AP_HISTORIES", "10"))
ON_NEO4J = max(HISTORIES // 10, 2)

# The same histories in each run: which queries the suite runs on an engine is no matter of chance (`engine_contract`).
PATIENT = settings(deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)


@pytest.mark.parametrize("engine", ["embedded"], indirect=True)
@settings(PATIENT, max_examples=HISTORIES)
@given(steps=histories)
async def test_no_honest_history_has_a_finding(store: Store, auditor_store: Store, steps: list[Step]) -> None:
    assert await problems_after(store, auditor_store, steps) == []


@pytest.mark.parametrize("engine", ["neo4j"], indirect=True)
@settings(PATIENT, max_examples=ON_NEO4J)
@given(steps=histories)
async def test_nor_has_one_on_neo4j(store: Store, auditor_store: Store, steps: list[Step]) -> None:
    assert await problems_after(store, auditor_store, steps) == []
