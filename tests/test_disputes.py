"""Statements that exclude each other: at most one is verified, and nobody loses anything to what nobody believes."""

from typing import Any

import httpx
import pytest
from builders import (
    message_id,
    reference_to,
    segment,
    signed_endorsement,
    signed_registration,
    signed_response,
    signed_retraction,
    signed_statement,
)
from graph_contents import run_raw, whole_graph
from http_client import ask, client
from platform_fixture import platform
from rebuilding import rebuilt
from scenario import (
    AUTHOR,
    OPERATOR_A,
    STRANGER,
    VERIFIER_A,
    VERIFIER_B,
    accept,
    hash_of,
    settle,
    signed_node_policy,
    verified_world,
)

from a2ap.policy import ConsensusMethod
from a2ap.verification_response import Verdict
from graph.platform import Platform

__all__ = ["client", "platform"]

FORTY = "The new zoning map keeps the height limit at forty feet."
SIXTY = "The new zoning map keeps the height limit at sixty feet."


async def state_of(platform: Platform, *documents: bytes) -> list[bool]:
    """Return which of these statements are verified."""
    rows = await platform.store.read("standings_of", hashes=[hash_of(document) for document in documents])
    verified = {row["signed_hash"]: row["verified"] for row in rows}
    return [verified[hash_of(document)] for document in documents]


def validated(document: bytes, confidence: float = 0.9) -> list[bytes]:
    """Return the verdicts of both verifiers."""
    return [signed_response(document, verifier, confidence=confidence) for verifier in (VERIFIER_A, VERIFIER_B)]


def challenged(document: bytes, verifier: int, confidence: float = 0.9) -> bytes:
    return signed_response(document, verifier, verdict=Verdict.CHALLENGED, confidence=confidence, reason="It is not so.")


async def test_of_two_that_exclude_each_other_neither_is_verified_where_neither_is_ahead(platform: Platform) -> None:
    await settle(platform)
    forty, sixty = signed_statement(AUTHOR, claim=FORTY), signed_statement(STRANGER, claim=SIXTY)
    await accept(platform, forty, *validated(forty))
    assert await state_of(platform, forty) == [True]

    await accept(platform, sixty, *validated(sixty))

    assert await state_of(platform, forty, sixty) == [False, False]


async def test_an_unjudged_contradiction_takes_nothing(platform: Platform) -> None:
    world = await verified_world(platform)
    everything = signed_statement(STRANGER, claim="All of it is wrong.", contradicts=[reference_to(world.statement)])

    await accept(platform, everything, signed_statement(STRANGER, claim=SIXTY))

    assert await state_of(platform, world.statement) == [True]
