"""An honest node has no finding, whatever it and its agents lawfully did: each test is a history that once had one."""

from pathlib import Path
from typing import Any

import pytest
from builders import (
    envelope_of,
    gold_label_message,
    message_id,
    segment,
    signed_gold_dispute,
    signed_response,
    signed_retraction,
    signed_source,
    signed_statement,
)
from honest import problems_of
from key_world import by_node
from packet_world import packet_submissions
from platform_fixture import platform
from scenario import (
    AUTHOR,
    OPERATOR_A,
    OPERATOR_B,
    STRANGER,
    VERIFIER_A,
    VERIFIER_B,
    accept,
    hash_of,
    pieces,
    settle,
    signed_node_policy,
)
from test_probes import PROBE, probed, reveal
from test_redaction import OTHER_QUOTE, SOURCE_HASH, erasure_of, range_of, without

from a2ap.boundary import Boundary
from a2ap.canonical import sha256_digest
from a2ap.messages.message import MessageType
from a2ap.messages.policy import ConsensusMethod
from a2ap.messages.retraction import build_retraction
from a2ap.messages.verification_response import Verdict
from graph.platform import Platform
from graph.store import Store

__all__ = ["platform"]

NAME = "urn:doc:test:minutes"
WORDS = "The new zoning map"


async def redact(platform: Platform, *words: str) -> None:
    """Erase passages of the source."""
    ranges = [range_of(one) for one in words]
    left = sha256_digest(without(*words))
    await accept(platform, erasure_of(platform, byte_ranges=ranges, redacted_document_hash=left))


def withdrawal_of(platform: Platform, label: bytes) -> dict[str, Any]:
    """Return the node's retraction of its gold label, before it is signed."""
    return build_retraction(
        retraction_id=message_id("retraction", 1),
        retracted_at=platform.clock(),
        retracting_agent=platform.node.agent_id,
        target_message=envelope_of(label).id,
        target_hash=hash_of(label),
        target_type=MessageType.GOLD_LABEL,
    )


def pointing() -> dict[str, Any]:
    """Return evidence that points at the first quote and does not repeat it."""
    return {name: value for name, value in segment().items() if name != "quoteText"}


async def test_an_untouched_passage_may_be_cited_after_a_redaction(
    platform: Platform, auditor_store: Store, tmp_path: Path
) -> None:
    await settle(platform)
    await accept(platform, signed_statement(AUTHOR))
    await redact(platform, WORDS)
    await accept(platform, signed_statement(AUTHOR, claim="They want tables.", evidence=[segment(OTHER_QUOTE)]))
    assert await problems_of(platform, auditor_store, tmp_path) == []


async def test_an_erased_passage_may_be_pointed_at_after_a_redaction(
    platform: Platform, auditor_store: Store, tmp_path: Path
) -> None:
    await settle(platform)
    await redact(platform, WORDS)
    await accept(platform, signed_statement(AUTHOR, evidence=[pointing()]))
    assert await problems_of(platform, auditor_store, tmp_path) == []


async def test_the_quote_of_a_revealed_probe_may_be_erased(
    platform: Platform, auditor_store: Store, tmp_path: Path
) -> None:
    committed = await probed(platform)
    await accept(platform, reveal(platform, committed))
    await redact(platform, WORDS)
    assert await problems_of(platform, auditor_store, tmp_path) == []


async def test_a_false_probe_is_verified_no_longer_by_the_literal_method_too(
    platform: Platform, auditor_store: Store, tmp_path: Path
) -> None:
    committed = await probed(platform)
    await accept(platform, signed_node_policy(platform, 2, method=ConsensusMethod.LITERAL, quorum=1))
    await accept(platform, signed_response(PROBE, VERIFIER_A))
    assert await is_verified(platform)
    await accept(platform, reveal(platform, committed))
    assert not await is_verified(platform)
    assert await problems_of(platform, auditor_store, tmp_path) == []


@pytest.mark.parametrize("end", ["dispute", "withdrawal"])
async def test_the_label_of_a_false_probe_may_be_suspended_or_withdrawn(
    platform: Platform, auditor_store: Store, tmp_path: Path, end: str
) -> None:
    committed = await probed(platform)
    await accept(platform, signed_response(PROBE, VERIFIER_A), signed_response(PROBE, VERIFIER_B))
    label = reveal(platform, committed)
    await accept(platform, label)
    if end == "dispute":
        await accept(platform, signed_gold_dispute(label, OPERATOR_A))
    else:
        await accept(platform, by_node(platform, withdrawal_of(platform, label)))
    assert not await is_verified(platform)
    assert await problems_of(platform, auditor_store, tmp_path) == []


async def test_a_verdict_may_be_retracted_under_the_literal_method(
    platform: Platform, auditor_store: Store, tmp_path: Path
) -> None:
    """A rebuild writes in one transaction what came in several: the reputation of the verifier is the same."""
    await settle(platform)
    await accept(platform, signed_node_policy(platform, 2, method=ConsensusMethod.LITERAL, quorum=1))
    claim = signed_statement(AUTHOR)
    verdict = signed_response(claim, VERIFIER_A)
    await accept(platform, claim, verdict)
    await accept(platform, signed_retraction(verdict, VERIFIER_A))
    assert await problems_of(platform, auditor_store, tmp_path) == []


async def is_verified(platform: Platform) -> bool:
    (row,) = await platform.store.read("statements_by_hash", hashes=[hash_of(PROBE)])
    verified: bool = row["verified"]
    return verified


@pytest.mark.parametrize("again", ["registered", "cited", None])
async def test_a_source_that_one_statement_alone_cites_may_be_erased(
    platform: Platform, auditor_store: Store, tmp_path: Path, again: str | None
) -> None:
    await settle(platform)
    source = b"Nobody registered these minutes. They are cited all the same."
    evidence = [segment("They are cited", source=source, source_id=NAME)]
    await accept(platform, signed_statement(AUTHOR, claim="It is cited.", evidence=evidence))
    await accept(platform, erasure_of(platform, sha256_digest(source)))
    if again == "registered":
        await accept(platform, signed_source(AUTHOR, source=source, source_id=NAME))
    elif again == "cited":
        pointer = {name: value for name, value in evidence[0].items() if name != "quoteText"}
        await accept(platform, signed_statement(AUTHOR, claim="It is cited again.", evidence=[pointer]))
    assert await problems_of(platform, auditor_store, tmp_path) == []


async def test_a_packet_may_be_about_a_statement_whose_quote_is_erased(
    platform: Platform, auditor_store: Store, tmp_path: Path
) -> None:
    await settle(platform)
    statement = signed_statement(AUTHOR)
    await accept(platform, statement)
    for outcome in await platform.append(packet_submissions(AUTHOR, hash_of(statement), SOURCE_HASH)):
        assert not isinstance(outcome, Exception), outcome
    await redact(platform, WORDS)
    assert await problems_of(platform, auditor_store, tmp_path) == []


async def test_a_packet_may_be_about_a_document_that_is_cited_afterwards(
    platform: Platform, auditor_store: Store, tmp_path: Path
) -> None:
    await settle(platform)
    statement = signed_statement(AUTHOR)
    await accept(platform, statement)
    source = b"Nobody registered these minutes."
    for outcome in await platform.append(packet_submissions(AUTHOR, hash_of(statement), sha256_digest(source))):
        assert not isinstance(outcome, Exception), outcome
    evidence = [segment("these minutes", source=source, source_id=NAME)]
    await accept(platform, signed_statement(AUTHOR, claim="They are minutes.", evidence=evidence))
    assert await problems_of(platform, auditor_store, tmp_path) == []


async def test_a_document_of_the_log_may_be_a_source_too(
    platform: Platform, auditor_store: Store, tmp_path: Path
) -> None:
    await settle(platform)
    statement = signed_statement(AUTHOR)
    await accept(platform, statement, signed_source(AUTHOR, source=statement, source_id=NAME))
    await platform.sources.put(sha256_digest(statement), pieces(statement))
    evidence = [segment("urn:agent:test-1", source=statement, source_id=NAME)]
    await accept(platform, signed_statement(AUTHOR, claim="Agent 1 stated something.", evidence=evidence))
    assert await problems_of(platform, auditor_store, tmp_path, rebuild=False) == []


@pytest.mark.parametrize("first", [OPERATOR_A, STRANGER])
async def test_a_name_may_be_of_a_closed_source_and_of_a_stranger(
    platform: Platform, auditor_store: Store, tmp_path: Path, first: int
) -> None:
    """An auditor who may not have the registration of the closed source does not know whose the name is."""
    await settle(platform)
    closed, other = b"Closed minutes.", b"Minutes of a stranger."
    registrations = {
        OPERATOR_A: signed_source(
            OPERATOR_A, source=closed, source_id=NAME, boundary=Boundary.CONFIDENTIAL, title="Closed"
        ),
        STRANGER: signed_source(STRANGER, source=other, source_id=NAME, title="Mine"),
    }
    second = OPERATOR_A if first == STRANGER else STRANGER
    await accept(platform, registrations[first], registrations[second])
    evidence = [segment("Minutes", source=other, source_id=NAME)]
    await accept(platform, signed_statement(AUTHOR, claim="There are minutes.", evidence=evidence))
    # The same closed bytes stand under a name of their own, and under one that a stranger gave them.
    await accept(platform, signed_source(STRANGER, source=closed, source_id="urn:doc:test:mine", title="Mine"))
    assert await problems_of(platform, auditor_store, tmp_path) == []


async def test_a_dispute_of_a_gold_label_may_point_at_a_statement_whose_quote_is_erased(
    platform: Platform, auditor_store: Store, tmp_path: Path
) -> None:
    """The dispute is left out of the audit: the standing of the label, and the score of its statement, rest on it."""
    await settle(platform)
    labelled = signed_statement(AUTHOR, claim="They want tables.", evidence=[segment(OTHER_QUOTE)])
    statement = signed_statement(AUTHOR)
    label = by_node(platform, gold_label_message(labelled, labelling_agent=platform.node.agent_id))
    await accept(platform, labelled, statement, label)
    await accept(platform, signed_response(labelled, VERIFIER_A), signed_response(labelled, VERIFIER_B))
    await redact(platform, WORDS)
    dispute = signed_gold_dispute(label, VERIFIER_A, evidence=[hash_of(statement)])
    await accept(platform, dispute)
    assert await problems_of(platform, auditor_store, tmp_path, rebuild=False) == []
    # A dispute suspends the label and the later ones of the same criterion, until a label answers it.
    again = gold_label_message(labelled, labelling_agent=platform.node.agent_id, number=2)
    await accept(platform, by_node(platform, again))
    assert await problems_of(platform, auditor_store, tmp_path, rebuild=False) == []
    answer = gold_label_message(labelled, labelling_agent=platform.node.agent_id, number=3, answers=[hash_of(dispute)])
    await accept(platform, by_node(platform, answer))
    assert await problems_of(platform, auditor_store, tmp_path) == []


async def test_verdicts_on_a_closed_statement_may_weigh_in_other_scores_by_the_literal_method(
    platform: Platform, auditor_store: Store, tmp_path: Path
) -> None:
    """An auditor who may not have the closed statement does not know the reputations that the open scores rest on."""
    await settle(platform)
    await accept(platform, signed_node_policy(platform, 2, method=ConsensusMethod.LITERAL, quorum=1))
    closed = b"The limit is ten feet."
    await accept(platform, signed_source(AUTHOR, source=closed, source_id=NAME, boundary=Boundary.CONFIDENTIAL))
    await platform.sources.put(sha256_digest(closed), pieces(closed))
    evidence = [segment("ten feet", source=closed, source_id=NAME)]
    secret = signed_statement(AUTHOR, claim="It is ten.", evidence=evidence)
    shared = signed_statement(AUTHOR)
    other = signed_statement(AUTHOR, claim="They want tables.", evidence=[segment(OTHER_QUOTE)])
    await accept(platform, secret, shared, other)
    await accept(platform, signed_response(secret, VERIFIER_A, verdict=Verdict.CHALLENGED))
    await accept(platform, signed_response(secret, OPERATOR_A), signed_response(secret, OPERATOR_B))
    # The closed statement moves the first verifier, and with it the second, which judged the last statement alone.
    await accept(platform, signed_response(shared, VERIFIER_A, confidence=0.5), signed_response(shared, VERIFIER_B))
    await accept(platform, signed_response(other, VERIFIER_B, confidence=0.7))
    assert await problems_of(platform, auditor_store, tmp_path) == []
