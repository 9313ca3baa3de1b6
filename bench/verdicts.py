"""P5: the time of the new score after one more verdict, in a small graph and in a large one.

The graph is written as rows, by the platform's own queries and without their origin: no signature, document or log
entry. There are agents, endorsed by a few seeds, an epoch that knows them all, statements, and on each a waiting
request and the same number of verdicts. It is measured when it is small, grows, and is measured again. The time is that
of the platform's work on scores (`graph.scores.updates.rescore`) and requests
(`graph.requests.closing.follow_requests`) in the transaction of a verdict, for signed verdicts on statements anywhere
in the graph. The graph is left there: the next measurement empties it.
"""

import statistics
import time
from collections.abc import Sequence
from datetime import timedelta
from itertools import pairwise
from random import Random
from typing import Any

from neo4j import AsyncGraphDatabase

from a2ap.canonical import sha256_digest
from a2ap.log.entry import LogEntry
from a2ap.messages.finding import Finding, FindingStatus
from a2ap.messages.message import Message, read_message
from a2ap.messages.policy import DEFAULT_CRITERIA, ConsensusMethod
from a2ap.messages.priors import DEFAULT_PRIORS
from a2ap.messages.verification_response import Verdict, build_verification_response
from a2ap.times import format_instant
from bench.load import empty
from bench.statements import NOW, bench_agent
from graph.database.endpoint import Endpoint
from graph.kinds.verification_request import open_columns
from graph.log.entry import entry_of
from graph.requests.closing import follow_requests
from graph.scores.updates import rescore
from graph.scoring.judgements import PRIOR_NAMES
from graph.scoring.knowledge import reliability_key
from graph.store import Store, Transaction, connect_store

SIZES = (10_000, 1_000_000)
AGENTS = 1_000
SEEDS = 20
ON_EACH = 10
"""Verdicts on each statement."""

_NODE = "urn:agent:bench-node"
_AUTHOR = "urn:agent:bench-author"
_AT_ONCE = 1_000
# The verdicts that are measured have numbers beyond all others.
_OF_THEIR_OWN = 10_000_000
_TIME = format_instant(NOW)


async def measure_verdicts(
    endpoint: Endpoint, sizes: tuple[int, int] = SIZES, verdicts: int = 200, agents: int = AGENTS
) -> dict[str, Any]:
    """Return the median time of a new score in the large graph ÷ in the small one, and both in ms."""
    started = time.perf_counter()
    async with AsyncGraphDatabase.driver(
        endpoint.uri, auth=(endpoint.user, endpoint.password), notifications_min_severity="OFF"
    ) as driver:
        await empty(driver, endpoint)
    async with connect_store(endpoint) as store:
        await _write_world(store, agents)
        small, large = [
            await _grow_and_measure(store, before, size, verdicts, agents) for before, size in pairwise((0, *sizes))
        ]
    return {
        "verdicts": list(sizes),
        "agents": agents,
        "measured": verdicts,
        "ratio": round(large / small, 3),
        "milliseconds": [round(small * 1000, 2), round(large * 1000, 2)],
        "seconds": round(time.perf_counter() - started),
    }


async def _grow_and_measure(store: Store, before: int, size: int, verdicts: int, agents: int) -> float:
    statements = size // ON_EACH
    for start in range(before // ON_EACH, statements, _AT_ONCE):
        await _write_statements(store, range(start, min(start + _AT_ONCE, statements)), agents)
    random = Random(size)
    times = []
    for number in range(2 * verdicts):
        times.append(await _time_one(store, random.randrange(statements), _OF_THEIR_OWN + size + number))
    # The first ones meet an engine that has not seen these queries often, or not since it wrote so much.
    return statistics.median(times[len(times) // 2 :])


async def _time_one(store: Store, statement: int, number: int) -> float:
    """Write one more verdict, by an agent of its own, and return the seconds that its scores took."""
    message, entry = _signed_verdict(statement, number)
    taken = 0.0

    async def work(transaction: Transaction) -> None:
        nonlocal taken
        await transaction.run("write_agents", rows=[_agent_row(entry.agent, number)])
        await transaction.run("write_verifications", rows=[_verdict_row(statement, entry.agent, number)])
        started = time.perf_counter()
        await rescore(transaction, [(message, entry)], _NODE)
        await follow_requests(transaction, [(message, entry)], _NODE)
        taken = time.perf_counter() - started

    await store.write(work)
    return taken


async def _write_world(store: Store, agents: int) -> None:
    names = [_verifier(number) for number in range(agents)]
    rows = [_agent_row(name, number) for number, name in enumerate((_AUTHOR, *_seeds(), *names))]
    policy = {
        "policy_id": "urn:uuid:bench",
        "signed_hash": sha256_digest(b"policy"),
        "issued_at": _TIME,
        "threshold": 0.7,
        "quorum": 2,
        "seeds": list(_seeds()),
        "method": ConsensusMethod.POSTERIOR.value,
        "criteria": list(DEFAULT_CRITERIA),
        "unseeded_weight": 0.25,
        "epoch_length": 100,
        **{f"prior_{name}": list(getattr(DEFAULT_PRIORS, name)) for name in PRIOR_NAMES},
        "family_correlation": DEFAULT_PRIORS.family_correlation,
        "log_index": 1,
    }
    epoch = {
        **{"signed_hash": sha256_digest(b"epoch"), "epoch_id": "urn:uuid:epoch", "issued_at": _TIME, "log_size": 2},
        **{"policy": policy["signed_hash"], "method": policy["method"], "part": 0, "parts": 1, "last": True},
        **{"calibration_confidences": [0.0, 1.0], "calibration_weights": [0.0, 1.0], "log_index": 2},
    }
    endorsed = [
        {
            "endorsing_agent": _seeds()[number % SEEDS],
            "endorsed_agent": name,
            "key_id": "",
            "endorsement_id": f"urn:uuid:endorsement-{number}",
            "signed_hash": sha256_digest(f"endorsement {number}".encode()),
            "endorsed_at": _TIME,
            "log_index": number,
        }
        for number, name in enumerate(names)
    ]

    async def work(transaction: Transaction) -> None:
        await transaction.run("open_log")
        await transaction.run("write_agents", rows=rows)
        await transaction.run("write_endorsements", rows=endorsed)
        await transaction.run("write_policies", rows=[policy])
        await transaction.run("write_epochs", rows=[epoch])
        await transaction.run("write_reliabilities", rows=_reliabilities(names))

    await store.write(work)


async def _write_statements(store: Store, numbers: Sequence[int], agents: int) -> None:
    statements = [_statement_row(number) for number in numbers]
    verdicts = [
        _verdict_row(number, _verifier((number * 7 + place * 101) % agents), number * ON_EACH + place)
        for number in numbers
        for place in range(ON_EACH)
    ]

    async def work(transaction: Transaction) -> None:
        await transaction.run("write_statements", rows=statements)
        await transaction.run("write_requests", rows=[_request_row(number) for number in numbers])
        await transaction.run("write_verifications", rows=verdicts)

    await store.write(work)


def _reliabilities(names: Sequence[str]) -> list[dict[str, Any]]:
    return [
        {
            "reliability_key": reliability_key(2, name, criterion),
            "agent_id": name,
            "criterion": criterion,
            "sensitivity": [20.0, 4.0],
            "specificity": [18.0, 5.0],
            "judged": 10,
            "independence": 1.0,
            "log_size": 2,
            "log_index": 2,
        }
        for name in names
        for criterion in DEFAULT_CRITERIA
    ]


def _signed_verdict(statement: int, number: int) -> tuple[Message, LogEntry]:
    agent = bench_agent(10_000_000 + number)
    message = read_message(
        agent.sign(
            build_verification_response(
                response_id=f"urn:uuid:00000000-0000-4000-8000-{number:012d}",
                responded_at=NOW,
                responding_agent=agent.description.agent_id,
                target_statement=_statement_row(statement)["statement_id"],
                target_hash=_hash("statement", statement),
                verdict=Verdict.VALIDATED,
                confidence=0.9,
                findings=[Finding(name, FindingStatus.PASS, "seen", 0.9) for name in DEFAULT_CRITERIA],
            )
        )
    )
    return message, entry_of(message, log_index=number, origin=_NODE, received_at=NOW + timedelta(seconds=number))


def _agent_row(agent_id: str, number: int) -> dict[str, Any]:
    return {
        **{"agent_id": agent_id, "name": agent_id, "version": "1", "publisher": "Bench", "capabilities": []},
        **{"public_key": f"did:key:bench-{agent_id}", "key_id": f"{agent_id}#1", "registration_id": f"urn:x:{number}"},
        **{"signed_hash": _hash("agent", number), "registered_at": _TIME, "reputation": 0.5, "log_index": number},
    }


def _statement_row(number: int) -> dict[str, Any]:
    name = f"urn:uuid:00000000-0000-4000-9000-{number:012d}"
    return {
        **{"agent_id": _AUTHOR, "signed_hash": _hash("statement", number), "statement_id": name, "confidence": 0.9},
        **{"document_hash": _hash("document", number), "claim_text": f"Claim {number}.", "key_id": f"{_AUTHOR}#1"},
        **{"generated_at": _TIME, "received_at": _TIME, "log_index": number, "position": number},
        **{"machine_check": "PASS", "claim_key": name, "subject_key": name},
    }


def _request_row(number: int) -> dict[str, Any]:
    """Return a request that needs more operators than there are, so that it is followed and stays open."""
    return {
        **{"agent_id": _AUTHOR, "target_hash": _hash("statement", number), "signed_hash": _hash("request", number)},
        **{"request_id": f"urn:x:request-{number}", "requested_at": _TIME, "received_at": _TIME, "log_index": number},
        **{"criteria": list(DEFAULT_CRITERIA), "document_hash": _hash("request document", number), "deadline": None},
        **{"wanted_verdicts": SEEDS + 1, "eligible_verifiers": None, **open_columns(_AUTHOR, None)},
    }


def _verdict_row(statement: int, agent_id: str, number: int) -> dict[str, Any]:
    passes = number % 5 != 0
    return {
        **{"agent_id": agent_id, "target_hash": _hash("statement", statement), "signed_hash": _hash("verdict", number)},
        **{"verification_id": f"urn:x:verdict-{number}", "verified_at": _TIME, "received_at": _TIME, "confidence": 0.9},
        **{"verdict": ("VALIDATED" if passes else "CHALLENGED"), "log_index": number, "binds": True, "machine": False},
        "finding_criteria": list(DEFAULT_CRITERIA),
        "finding_statuses": ["PASS" if passes else "FAIL"] * len(DEFAULT_CRITERIA),
        "finding_confidences": [0.9] * len(DEFAULT_CRITERIA),
    }


def _seeds() -> tuple[str, ...]:
    return tuple(f"urn:agent:bench-seed-{number}" for number in range(SEEDS))


def _verifier(number: int) -> str:
    return f"urn:agent:bench-verifier-{number}"


def _hash(kind: str, number: int) -> str:
    return sha256_digest(f"{kind} {number}".encode())
