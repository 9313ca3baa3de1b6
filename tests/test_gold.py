"""Gold labels in the graph: who may state, withdraw and dispute them, and what is observed of them."""

from typing import Any

import httpx
import pytest
import pytest_asyncio
from builders import (
    TIME,
    agent_id,
    envelope_of,
    gold_label_message,
    message_id,
    probe_message,
    sign,
    signed_endorsement,
    signed_gold_dispute,
    signed_registration,
    signed_response,
    signed_retraction,
    signed_statement,
)
from graph_contents import whole_graph
from http_client import ask, client
from key_world import by_node, revocation_by_node, size_of
from peer_simulator import PeerSimulator
from platform_fixture import platform
from rebuilding import rebuilt
from scenario import (
    AUTHOR,
    OPERATOR_A,
    OPERATOR_B,
    STRANGER,
    VERIFIER_A,
    VERIFIER_B,
    accept,
    hash_of,
    settle,
    signed_node_policy,
)

from a2ap.messages.gold_label import Label
from a2ap.messages.message import read_message
from a2ap.messages.policy import ConsensusMethod
from a2ap.messages.retraction import build_retraction
from a2ap.messages.scoping import scope_message
from graph.errors import ConflictError, ForbiddenError, TargetError
from graph.platform import Platform
from graph.submission.submission import Submission

__all__ = ["client", "platform"]

STATEMENT = signed_statement(AUTHOR)


def label_by_node(platform: Platform, statement: bytes = STATEMENT, label: Label = Label.FAIL, **changes: Any) -> bytes:
    message = gold_label_message(statement, label, labelling_agent=platform.node.agent_id, **changes)
    return by_node(platform, message)


def withdrawal_by_node(platform: Platform, label: bytes) -> bytes:
    envelope = envelope_of(label)
    message = build_retraction(
        retraction_id=message_id("withdrawal", envelope.signed_hash),
        retracted_at=TIME,
        retracting_agent=platform.node.agent_id,
        target_message=envelope.id,
        target_type=envelope.type,
        target_hash=envelope.signed_hash,
    )
    return by_node(platform, message)


async def observed(platform: Platform, statement: bytes = STATEMENT) -> dict[str, bool]:
    rows = await platform.store.read("observed_labels", hashes=[hash_of(statement)])
    everything = await platform.store.read("observed_labels_from", start=0, first=100)
    assert [row for row in everything if row["statement"] == hash_of(statement)] == rows
    return {row["criterion"]: row["passes"] for row in rows}


async def standing_of(platform: Platform, label: bytes, statement: bytes = STATEMENT) -> str:
    rows = await platform.store.read("gold_labels_of", hashes=[hash_of(statement)])
    found: str = next(row["standing"] for row in rows if row["signed_hash"] == hash_of(label))
    return found


@pytest_asyncio.fixture
async def labelled(platform: Platform) -> bytes:
    """Settle, submit a statement, and have the node say that it fails source-accuracy."""
    await settle(platform)
    label = label_by_node(platform)
    await accept(platform, STATEMENT, label)
    return label


async def refused(platform: Platform, document: bytes) -> Exception:
    (outcome,) = await platform.submit_many([document])
    assert isinstance(outcome, Exception)
    return outcome


async def test_a_label_of_the_node_is_observed(platform: Platform, labelled: bytes) -> None:
    assert await observed(platform) == {"source-accuracy": False}
    assert await standing_of(platform, labelled) == "IN_FORCE"


async def test_each_criterion_has_its_own_label_and_the_last_one_stands(platform: Platform, labelled: bytes) -> None:
    other = label_by_node(platform, label=Label.PASS, criterion="logical-consistency")
    changed = label_by_node(platform, label=Label.PASS, number=2)
    await accept(platform, other, changed)

    assert await observed(platform) == {"logical-consistency": True, "source-accuracy": True}
    assert await standing_of(platform, labelled) == "REPLACED"


async def test_nobody_but_the_node_labels_and_commits(platform: Platform, labelled: bytes) -> None:
    message = gold_label_message(STATEMENT, labelling_agent=agent_id(OPERATOR_A))
    error = await refused(platform, sign(message, OPERATOR_A))
    assert isinstance(error, ForbiddenError)
    assert error.path == "labellingAgent"
    error = await refused(platform, sign(probe_message(committing_agent=agent_id(OPERATOR_A)), OPERATOR_A))
    assert isinstance(error, ForbiddenError)


async def test_a_label_is_of_a_statement_that_is_here(platform: Platform) -> None:
    await settle(platform)
    assert isinstance(await refused(platform, label_by_node(platform)), TargetError)


async def test_a_withdrawn_label_is_observed_no_more(platform: Platform, labelled: bytes) -> None:
    await accept(platform, withdrawal_by_node(platform, labelled))

    assert await observed(platform) == {}
    assert await standing_of(platform, labelled) == "WITHDRAWN"


@pytest.mark.both_engines
async def test_only_the_node_withdraws_its_label(platform: Platform, labelled: bytes) -> None:
    assert isinstance(await refused(platform, signed_retraction(labelled, VERIFIER_A)), ForbiddenError)
    assert await observed(platform) == {"source-accuracy": False}


async def test_a_dispute_by_an_agent_of_a_seeded_operator_suspends_the_label(
    platform: Platform, labelled: bytes
) -> None:
    await accept(platform, signed_gold_dispute(labelled, VERIFIER_A))

    assert await observed(platform) == {}
    assert await standing_of(platform, labelled) == "SUSPENDED"


async def test_so_does_one_by_the_seeded_operator_itself(platform: Platform, labelled: bytes) -> None:
    await accept(platform, signed_gold_dispute(labelled, OPERATOR_B))
    assert await observed(platform) == {}


async def test_a_dispute_by_a_stranger_is_shown_and_suspends_nothing(platform: Platform, labelled: bytes) -> None:
    dispute = signed_gold_dispute(labelled, STRANGER, evidence=[hash_of(STATEMENT)])
    await accept(platform, dispute)

    assert await observed(platform) == {"source-accuracy": False}
    (row,) = await platform.store.read("gold_disputes_of", hashes=[hash_of(STATEMENT)], after=-1, first=10)
    assert row["signed_hash"] == hash_of(dispute)
    assert row["reason"] == "The recording says what is claimed."
    assert (row["suspends"], row["withdrawn"], row["evidence"]) == (False, False, [hash_of(STATEMENT)])


async def test_a_label_that_answers_the_dispute_is_observed_again(platform: Platform, labelled: bytes) -> None:
    dispute = signed_gold_dispute(labelled, VERIFIER_A)
    await accept(platform, dispute, label_by_node(platform, number=2))
    assert await observed(platform) == {}

    await accept(platform, label_by_node(platform, number=3, answers=[hash_of(dispute)]))
    assert await observed(platform) == {"source-accuracy": False}


async def test_a_dispute_that_is_retracted_suspends_nothing(platform: Platform, labelled: bytes) -> None:
    dispute = signed_gold_dispute(labelled, VERIFIER_A)
    await accept(platform, dispute)
    await accept(platform, signed_retraction(dispute, VERIFIER_A))

    assert await observed(platform) == {"source-accuracy": False}


async def test_however_many_disputes_there_are_each_is_counted(
    platform: Platform, labelled: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graph.gold.following._PAGE", 1)
    disputes = [signed_gold_dispute(labelled, seed) for seed in (STRANGER, VERIFIER_A, AUTHOR, VERIFIER_B)]
    await accept(platform, *disputes)
    assert await observed(platform) == {}
    rows = await platform.store.read("gold_disputes_of", hashes=[hash_of(STATEMENT)], after=-1, first=10)
    assert [row["suspends"] for row in rows] == [False, True, False, True]

    await accept(platform, signed_retraction(disputes[1], VERIFIER_A))
    assert await observed(platform) == {}
    await accept(platform, signed_retraction(disputes[3], VERIFIER_B))
    assert await observed(platform) == {"source-accuracy": False}


async def test_the_policy_says_whose_disputes_suspend(platform: Platform, labelled: bytes) -> None:
    await accept(platform, signed_gold_dispute(labelled, VERIFIER_A))
    await accept(platform, signed_node_policy(platform, 2, seeds=(agent_id(OPERATOR_B),)))
    assert await observed(platform) == {"source-accuracy": False}

    await accept(platform, signed_node_policy(platform, 3))
    assert await observed(platform) == {}


async def test_an_endorsement_makes_the_disputes_of_an_agent_count(platform: Platform, labelled: bytes) -> None:
    await accept(platform, signed_gold_dispute(labelled, STRANGER))
    await accept(platform, signed_endorsement(signed_registration(STRANGER), OPERATOR_A))
    assert await observed(platform) == {}


async def test_a_dispute_signed_with_a_stolen_key_suspends_nothing(platform: Platform, labelled: bytes) -> None:
    stolen = await size_of(platform)
    await accept(platform, signed_gold_dispute(labelled, VERIFIER_A))
    await accept(platform, revocation_by_node(platform, VERIFIER_A, not_trusted_since=stolen))

    assert await observed(platform) == {"source-accuracy": False}


async def test_a_dispute_counts_no_more_once_the_endorsement_is_not_trusted(
    platform: Platform, labelled: bytes
) -> None:
    stolen = await size_of(platform)
    await accept(platform, signed_endorsement(signed_registration(STRANGER), OPERATOR_A))
    await accept(platform, signed_gold_dispute(labelled, STRANGER))
    assert await observed(platform) == {}
    await accept(platform, revocation_by_node(platform, OPERATOR_A, not_trusted_since=stolen))

    assert await observed(platform) == {"source-accuracy": False}
    before = await whole_graph(platform.store)
    await rebuilt(platform)
    assert await whole_graph(platform.store) == before


async def test_an_agent_disputes_a_label_once_and_never_its_own(platform: Platform, labelled: bytes) -> None:
    await accept(platform, signed_gold_dispute(labelled, VERIFIER_A))
    assert isinstance(await refused(platform, signed_gold_dispute(labelled, VERIFIER_A, number=2)), ConflictError)
    await accept(platform, withdrawal_by_node(platform, labelled))
    assert isinstance(await refused(platform, signed_gold_dispute(labelled, VERIFIER_B)), ConflictError)


async def test_a_dispute_is_of_a_label_and_its_evidence_is_here(platform: Platform, labelled: bytes) -> None:
    other = label_by_node(platform, number=9)
    assert isinstance(await refused(platform, signed_gold_dispute(other, VERIFIER_A)), TargetError)
    missing = signed_gold_dispute(labelled, VERIFIER_A, evidence=["sha256:" + "0" * 64])
    assert isinstance(await refused(platform, missing), TargetError)


async def test_what_a_label_answers_is_a_dispute_of_the_same(platform: Platform, labelled: bytes) -> None:
    dispute = signed_gold_dispute(labelled, VERIFIER_A)
    await accept(platform, dispute)

    other = label_by_node(platform, criterion="logical-consistency", answers=[hash_of(dispute)])
    assert isinstance(await refused(platform, other), TargetError)
    unknown = label_by_node(platform, number=4, answers=["sha256:" + "0" * 64])
    assert isinstance(await refused(platform, unknown), TargetError)


async def test_a_rebuilt_graph_has_the_same_gold(platform: Platform, labelled: bytes) -> None:
    dispute = signed_gold_dispute(labelled, VERIFIER_A)
    await accept(platform, dispute, signed_gold_dispute(labelled, STRANGER))
    await accept(platform, label_by_node(platform, number=3, answers=[hash_of(dispute)]))
    await accept(platform, label_by_node(platform, criterion="logical-consistency", number=4))
    before = await whole_graph(platform.store)

    await rebuilt(platform)
    assert await whole_graph(platform.store) == before


SCORE = """query ($id: ID!) { statement(id: $id) { verified consensusScore consensus { score reasons }
  goldLabels { label standing reason
    disputes { nodes { suspends reason agent { id } evidence { signedHash } } } } } }"""


async def scored(platform: Platform, client: httpx.AsyncClient, statement: bytes) -> dict[str, Any]:
    """Return a statement's state; what is cached on its node is what is computed when it is asked for."""
    found: dict[str, Any] = (await ask(client, SCORE, {"id": hash_of(statement)}))["statement"]
    assert found["consensusScore"] == pytest.approx(found["consensus"]["score"], abs=1e-9)
    return found


async def passed_by_both(platform: Platform) -> bytes:
    """Settle under the default method and have both verifiers pass a statement."""
    await settle(platform, method=ConsensusMethod.POSTERIOR)
    await accept(platform, STATEMENT, *(signed_response(STATEMENT, seed) for seed in (VERIFIER_A, VERIFIER_B)))
    return STATEMENT


async def test_scores_follow_a_label_and_its_withdrawal(platform: Platform, client: httpx.AsyncClient) -> None:
    statement = await passed_by_both(platform)
    before = await scored(platform, client, statement)
    assert before["verified"]

    label = label_by_node(platform, statement)
    await accept(platform, label)
    labelled = await scored(platform, client, statement)
    assert (labelled["consensusScore"], labelled["verified"]) == (0.0, False)
    assert any("source-accuracy does not hold" in reason for reason in labelled["consensus"]["reasons"])

    await accept(platform, withdrawal_by_node(platform, label))
    after = await scored(platform, client, statement)
    assert (after["consensusScore"], after["verified"]) == (before["consensusScore"], True)


async def test_scores_follow_a_suspension_and_the_answer(platform: Platform, client: httpx.AsyncClient) -> None:
    statement = await passed_by_both(platform)
    before = await scored(platform, client, statement)
    label = label_by_node(platform, statement)
    dispute = signed_gold_dispute(label, VERIFIER_A, evidence=[hash_of(statement)])
    await accept(platform, label, dispute)

    suspended = await scored(platform, client, statement)
    assert (suspended["consensusScore"], suspended["verified"]) == (before["consensusScore"], True)
    (shown,) = suspended["goldLabels"]
    assert (shown["label"], shown["standing"]) == ("FAIL", "SUSPENDED")
    assert shown["disputes"]["nodes"] == [
        {
            "suspends": True,
            "reason": "The recording says what is claimed.",
            "agent": {"id": agent_id(VERIFIER_A)},
            "evidence": [{"signedHash": hash_of(statement)}],
        }
    ]

    await accept(platform, label_by_node(platform, statement, number=2, answers=[hash_of(dispute)]))
    assert not (await scored(platform, client, statement))["verified"]


async def test_scores_follow_a_policy_that_unseats_who_disputes(platform: Platform, client: httpx.AsyncClient) -> None:
    statement = await passed_by_both(platform)
    label = label_by_node(platform, statement)
    await accept(platform, label, signed_gold_dispute(label, VERIFIER_A))
    policy = signed_node_policy(platform, 2, seeds=(agent_id(OPERATOR_B),), method=ConsensusMethod.POSTERIOR)
    await accept(platform, policy)

    assert (await scored(platform, client, statement))["consensusScore"] == 0.0


async def test_what_a_peer_knows_is_shown_and_not_observed(platform: Platform) -> None:
    await settle(platform)
    peer = PeerSimulator()
    label = gold_label_message(STATEMENT, labelling_agent=peer.origin)
    await accept(platform, STATEMENT)
    messages = [peer.node.registration(TIME).envelope.received, peer.node.sign(label).envelope.received]
    for place, document in enumerate(messages):
        message = scope_message(read_message(document), peer.origin)
        (outcome,) = await platform.append([Submission(message, origin=peer.origin, origin_index=place)])
        assert not isinstance(outcome, Exception), outcome

    assert await observed(platform) == {}
    assert await standing_of(platform, messages[1]) == "FOREIGN"


async def test_a_peers_agent_labels_nothing_in_its_nodes_name(platform: Platform) -> None:
    await settle(platform)
    await accept(platform, STATEMENT)
    peer = PeerSimulator()
    documents = [signed_registration(5), sign(gold_label_message(STATEMENT, labelling_agent=agent_id(5)), 5)]
    outcomes = []
    for place, document in enumerate(documents):
        message = scope_message(read_message(document), peer.origin)
        outcomes += await platform.append([Submission(message, origin=peer.origin, origin_index=place)])

    assert isinstance(outcomes[1], ForbiddenError)
