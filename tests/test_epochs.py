"""Epochs: when they are due, what is in the log and in the graph of them, and that nothing else gets in as one."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest
from audited import audited, export_node
from builders import (
    TIME,
    agent_id,
    epoch_message,
    gold_label_message,
    sign,
    signed_endorsement,
    signed_key_revocation,
    signed_registration,
    signed_response,
    signed_statement,
)
from graph_contents import nodes_with_label, run_raw, whole_graph
from hypothesis import given
from hypothesis import strategies as st
from key_world import RECOVERY, by_node, key_world, size_of
from peer_simulator import PeerSimulator
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
)
from servers import log_of, server_on

from a2ap.messages.epoch import CopyEvidence, Epoch, Estimate, decimal
from a2ap.messages.gold_label import Label
from a2ap.messages.message import read_message
from a2ap.messages.policy import DEFAULT_CRITERIA, ConsensusMethod
from a2ap.messages.priors import DEFAULT_PRIORS
from a2ap.messages.scoping import scope_message
from a2ap.messages.verification_response import Verdict
from graph.audit.folder_node import FolderNode
from graph.epochs import vote_reading
from graph.epochs.due import entries_until_due
from graph.epochs.estimating import estimate_table, table_of_estimates
from graph.epochs.vote_reading import EpochVotes
from graph.errors import ConflictError, ForbiddenError
from graph.inference.copying import Copy
from graph.inference.reliability import EpochEstimate, Reliability
from graph.platform import Platform
from graph.scores.on_demand import consensus_of_statements
from graph.scoring.judgements import policy_in_force
from graph.scoring.knowledge import Reader
from graph.scoring.reading import StoreReader
from graph.scoring.votes import ConsensusPolicy
from graph.store import Store
from graph.submission import epoch_keeper
from graph.submission.submission import Submission

__all__ = ["platform"]


async def judged_world(platform: Platform, *, epoch_length: int = 1_000_000, claims: int = 6) -> list[bytes]:
    """Settle, and have claims judged by two verifiers whom seeds vouch for and a stranger who contradicts them."""
    await settle(platform)
    statements = [signed_statement(AUTHOR, claim=f"Claim {number}.") for number in range(claims)]
    verdicts = [
        signed_response(statement, verifier, verdict=Verdict.CHALLENGED if verifier == STRANGER else Verdict.VALIDATED)
        for statement in statements
        for verifier in (VERIFIER_A, VERIFIER_B, STRANGER)
    ]
    await accept(platform, *statements, *verdicts)
    await accept(platform, signed_node_policy(platform, 2, epoch_length=epoch_length))
    await platform.epochs.settled()
    return statements


async def labelled(platform: Platform, statements: Sequence[bytes], label: Label = Label.PASS) -> None:
    """Have the operator label statements under every criterion."""
    messages = [
        gold_label_message(one, label, labelling_agent=platform.node.agent_id, criterion=criterion)
        for one in statements
        for criterion in DEFAULT_CRITERIA
    ]
    await accept(platform, *(by_node(platform, message) for message in messages))


class Slowly:
    """Has votes read, and then nothing more until it may go on."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.started, self.go_on = asyncio.Event(), asyncio.Event()
        self._read = vote_reading.read_votes
        monkeypatch.setattr(epoch_keeper, "read_votes", self)

    async def __call__(self, reader: Reader, policy: ConsensusPolicy, size: int) -> EpochVotes:
        self.started.set()
        await self.go_on.wait()
        return await self._read(reader, policy, size)


async def epochs_of(platform: Platform) -> list[Epoch]:
    found = []
    for entry in await log_of(platform.store):
        if entry.type == "Epoch":
            message = read_message(await platform.content.get(entry.document_hash))
            assert isinstance(message, Epoch)
            assert entry.log_index >= message.log_size + message.part
            found.append(message)
    return found


async def test_an_epoch_is_written_alone_when_it_is_due(platform: Platform) -> None:
    await judged_world(platform, epoch_length=10)
    (epoch,) = await epochs_of(platform)
    policy = await policy_in_force(StoreReader(platform.store))
    assert epoch.policy == policy.signed_hash
    assert epoch.envelope.agent_id == platform.node.agent_id
    assert epoch.is_last
    # The stranger's challenges share an operator, that of the unendorsed, with the author, and are no votes.
    assert {one.agent for one in epoch.estimates} == {agent_id(VERIFIER_A), agent_id(VERIFIER_B)}
    assert {one.criterion for one in epoch.estimates} == set(policy.criteria)


async def test_no_epoch_comes_before_it_is_due_or_without_a_vote(platform: Platform) -> None:
    await judged_world(platform)
    assert await epochs_of(platform) == []
    await accept(platform, signed_node_policy(platform, 4, epoch_length=1, criteria=("something-else",)))
    await accept(platform, signed_node_policy(platform, 5, epoch_length=1, method=ConsensusMethod.QUORUM))
    await accept(platform, signed_statement(AUTHOR, claim="After both."))
    await platform.epochs.settled()
    assert await epochs_of(platform) == []


async def test_an_epoch_changes_scores_and_reputations_and_a_rebuild_knows_both(platform: Platform) -> None:
    statements = await judged_world(platform)
    await labelled(platform, statements[:3])
    hashes = [hash_of(statement) for statement in statements[3:]]
    before = await consensus_of_statements(platform.store, hashes)
    await accept(platform, signed_node_policy(platform, 3, epoch_length=1))
    await platform.epochs.settled()

    after = await consensus_of_statements(platform.store, hashes)
    (epoch,) = await epochs_of(platform)
    assert all(before[name].epoch is None and after[name].epoch == epoch.log_size for name in hashes)
    assert all(after[name].score > before[name].score for name in hashes)
    cached = {
        node["signed_hash"]: node["consensus_score"] for node in await nodes_with_label(platform.store, "Statement")
    }
    assert {name: cached[name] for name in hashes} == {name: after[name].score for name in hashes}
    agents = {node["agent_id"]: node for node in await nodes_with_label(platform.store, "Agent")}
    assert agents[agent_id(VERIFIER_A)]["reputation"] == agents[agent_id(VERIFIER_A)]["estimated_accuracy"] > 0.79
    assert agents[agent_id(AUTHOR)].get("estimated_accuracy") is None
    whole = await whole_graph(platform.store)
    await rebuilt(platform)
    assert await whole_graph(platform.store) == whole


async def test_agreement_that_no_known_answer_bears_out_changes_neither_scores_nor_reliabilities(
    platform: Platform,
) -> None:
    """Two operators that pass each other's claims may be of one mind (docs/decisions/0073)."""
    hashes = [hash_of(statement) for statement in await judged_world(platform)]
    before = await consensus_of_statements(platform.store, hashes)
    await accept(platform, signed_node_policy(platform, 3, epoch_length=1))
    await platform.epochs.settled()
    (epoch,) = await epochs_of(platform)
    assert {(*one.sensitivity, *one.specificity) for one in epoch.estimates} == {DEFAULT_PRIORS.endorsed * 2}
    assert epoch.records == ()
    after = await consensus_of_statements(platform.store, hashes)
    assert all(after[name].score == before[name].score and after[name].epoch for name in hashes)


async def test_under_another_method_an_epoch_says_nothing_of_reputations(platform: Platform) -> None:
    await labelled(platform, (await judged_world(platform))[:3])
    await accept(platform, signed_node_policy(platform, 9, epoch_length=1))
    await platform.epochs.settled()
    await accept(platform, signed_node_policy(platform, 3, method=ConsensusMethod.QUORUM))
    agents = await nodes_with_label(platform.store, "Agent")
    assert all(node.get("estimated_accuracy") is None and node["reputation"] == 0.5 for node in agents)
    await accept(platform, signed_node_policy(platform, 4))
    agents = await nodes_with_label(platform.store, "Agent")
    assert any(node["reputation"] > 0.79 for node in agents)


async def test_the_table_is_what_the_entries_before_it_give(platform: Platform) -> None:
    await judged_world(platform)
    reader = StoreReader(platform.store)
    table = await estimate_table(reader, await policy_in_force(reader), platform.log.size)
    await accept(platform, signed_node_policy(platform, 3, epoch_length=1))
    await platform.epochs.settled()
    (epoch,) = await epochs_of(platform)
    assert table is not None
    assert (epoch.estimates, epoch.calibration) == (table.estimates, table.calibration)
    assert (epoch.models, epoch.records) == (table.models, table.records)


async def test_an_epoch_may_come_a_little_after_the_entries_that_it_is_of(platform: Platform) -> None:
    await settle(platform)
    size = platform.log.size - 3
    await accept(platform, by_node(platform, epoch_message(issuing_agent=platform.node.agent_id, log_size=size)))
    (epoch,) = await platform.store.read("current_epoch")
    assert (epoch["log_size"], epoch["log_index"]) == (size, size + 3)


async def test_an_epoch_of_what_another_is_of_and_one_of_somebody_else_are_refused(platform: Platform) -> None:
    await settle(platform)
    node, size = platform.node.agent_id, platform.log.size
    await accept(platform, by_node(platform, epoch_message(issuing_agent=node, log_size=size)))
    with pytest.raises(ConflictError, match=f"another is at entry {size}"):
        await platform.submit(by_node(platform, epoch_message(issuing_agent=node, log_size=size - 1)))
    with pytest.raises(ForbiddenError, match="estimates reliabilities here"):
        await platform.submit(sign(epoch_message(issuing_agent=agent_id(AUTHOR), log_size=size + 1), AUTHOR))
    assert len(await nodes_with_label(platform.store, "Epoch")) == 1


async def test_an_epoch_is_estimated_beside_the_writer(
    platform: Platform, auditor_store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Verdicts and endorsements that come meanwhile are written, and are not in the table."""
    statements = await judged_world(platform)
    slowly = Slowly(monkeypatch)
    await accept(platform, signed_node_policy(platform, 3, epoch_length=1))
    await slowly.started.wait()
    size = platform.log.size
    await accept(
        platform,
        signed_response(statements[0], VERIFIER_A, verdict=Verdict.CHALLENGED),
        signed_endorsement(signed_registration(STRANGER), OPERATOR_A),
        signed_statement(AUTHOR, claim="One more."),
    )
    slowly.go_on.set()
    await platform.epochs.settled()
    epoch = (await epochs_of(platform))[0]
    assert epoch.log_size == size
    report = await audited(FolderNode(await export_node(platform, tmp_path / "export")), auditor_store)
    assert [finding.line for finding in report.findings] == []
    assert report.checked["epochs"] >= 1
    assert report.checked["epochs"] == len({one.log_size for one in await epochs_of(platform)})


async def test_what_changes_the_verdicts_that_were_read_has_them_read_again(
    platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    statements = await judged_world(platform)
    slowly = Slowly(monkeypatch)
    await accept(platform, signed_node_policy(platform, 3, epoch_length=1))
    await slowly.started.wait()
    label = gold_label_message(statements[0], labelling_agent=platform.node.agent_id)
    await accept(platform, by_node(platform, label))
    size = platform.log.size
    slowly.go_on.set()
    await platform.epochs.settled()
    assert (await epochs_of(platform))[0].log_size == size


async def test_where_entries_never_stop_changing_what_was_read_the_writer_waits(
    platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    await judged_world(platform)
    read = 0

    async def changed(reader: Reader, size: int, now: int) -> bool:
        nonlocal read
        read += 1
        return read <= 3

    monkeypatch.setattr(epoch_keeper, "has_changed", changed)
    await accept(platform, signed_node_policy(platform, 3, epoch_length=1))
    await platform.epochs.settled()
    assert len(await epochs_of(platform)) == 1
    assert read == 4


async def test_an_estimate_that_fails_is_told_and_keeps_nobody_waiting(
    platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    await judged_world(platform)

    async def fail(*arguments: object) -> None:
        raise ValueError("no numbers")

    monkeypatch.setattr(epoch_keeper, "read_votes", fail)
    await accept(platform, signed_node_policy(platform, 3, epoch_length=1))
    await platform.epochs.settled()
    await accept(platform, signed_statement(AUTHOR, claim="One more."))
    assert platform.epochs.failures == {"epoch": "ValueError: no numbers"}


async def test_of_two_servers_on_one_graph_one_makes_the_epoch(store: Store, tmp_path: Path) -> None:
    async with server_on(store, tmp_path) as first, server_on(store, tmp_path) as second:
        await judged_world(first)
        await accept(first, signed_node_policy(first, 3, epoch_length=1))
        more = [signed_statement(AUTHOR, claim=f"One more {number}.") for number in range(8)]
        await asyncio.gather(*(accept((first, second)[number % 2], statement) for number, statement in enumerate(more)))
        await asyncio.gather(first.epochs.settled(), second.epochs.settled())
        sizes = [epoch.log_size for epoch in await epochs_of(first)]
    assert sizes
    assert len(set(sizes)) == len(sizes)


async def test_a_long_table_is_in_parts_that_follow_one_another(platform: Platform) -> None:
    await settle(platform)
    size = platform.log.size
    estimates = [Estimate(agent_id(VERIFIER_A), f"criterion {n}", (1.0, 1.0), (1.0, 1.0), 0, 1.0) for n in range(4)]
    parts = [
        by_node(
            platform,
            epoch_message(
                issuing_agent=platform.node.agent_id,
                log_size=size,
                estimates=estimates[2 * part : 2 * part + 2],
                records=[],
                part=part,
                parts=2,
            ),
        )
        for part in range(2)
    ]
    await accept(platform, parts[0])
    assert await platform.store.read("current_epoch") == []
    await accept(platform, parts[1])
    (epoch,) = await platform.store.read("current_epoch")
    assert (epoch["log_size"], epoch["log_index"]) == (size, size + 1)
    assert len(await run_raw(platform.store, "MATCH (:Reliability)-[:OF]->(a:Agent) RETURN a.agent_id AS id")) == 4


async def test_who_answers_after_the_answer_is_public_has_shown_nothing(platform: Platform) -> None:
    await settle(platform)
    statements = [signed_statement(AUTHOR, claim=f"Claim {number}.") for number in range(4)]
    await accept(platform, *statements)
    await accept(platform, *(signed_response(statement, VERIFIER_A) for statement in statements))
    labels = [gold_label_message(one, Label.FAIL, labelling_agent=platform.node.agent_id) for one in statements]
    await accept(platform, *(by_node(platform, label) for label in labels))
    late = [signed_response(one, verifier, verdict=Verdict.CHALLENGED, confidence=0.95) for one in statements
            for verifier in (VERIFIER_A, VERIFIER_B)]  # fmt: skip
    await accept(platform, *late)
    reader = StoreReader(platform.store)
    table = await estimate_table(reader, await policy_in_force(reader), platform.log.size)
    assert table is not None
    labelled = {one.agent: one for one in table.estimates if one.criterion == labels[0]["criterion"]}
    # What it had said before the label counts against it, and what it says now does not make up for that.
    assert mean(labelled[agent_id(VERIFIER_A)].specificity) < after_misses(DEFAULT_PRIORS.endorsed, 3)
    assert agent_id(VERIFIER_B) not in labelled or labelled[agent_id(VERIFIER_B)].judged == 0


def mean(pair: tuple[float, float]) -> float:
    return pair[0] / sum(pair)


def after_misses(prior: tuple[float, float], count: int) -> float:
    """Return the mean of a prior and so many answers that were all wrong."""
    return prior[0] / (sum(prior) + count)


async def specificity_of(platform: Platform, verifier: int, criterion: str) -> tuple[float, float] | None:
    """Return what an epoch now would say of how often a verifier fails what is wrong, None where it says nothing."""
    reader = StoreReader(platform.store)
    table = await estimate_table(reader, await policy_in_force(reader), platform.log.size)
    found = {(one.agent, one.criterion): one for one in table.estimates} if table is not None else {}
    known = found.get((agent_id(verifier), criterion))
    return known.specificity if known is not None and known.judged else None


async def labelled_after(platform: Platform, author: int, *verifiers: int) -> str:
    """Have these verifiers pass four statements which are then labelled wrong; return the criterion."""
    statements = [signed_statement(author, claim=f"Claim {number} of {author}.") for number in range(4)]
    await accept(platform, *statements)
    await accept(platform, *(signed_response(one, verifier) for one in statements for verifier in verifiers))
    labels = [gold_label_message(one, Label.FAIL, labelling_agent=platform.node.agent_id) for one in statements]
    await accept(platform, *(by_node(platform, label) for label in labels))
    return str(labels[0]["criterion"])


async def test_gold_measures_a_newcomer_on_the_claims_of_another_newcomer(platform: Platform) -> None:
    await settle(platform)
    criterion = await labelled_after(platform, AUTHOR, STRANGER)
    found = await specificity_of(platform, STRANGER, criterion)
    assert found is not None and mean(found) < after_misses(DEFAULT_PRIORS.unknown, 3)


async def test_gold_measures_nobody_on_its_own_claims_nor_on_those_of_its_seeded_operator(platform: Platform) -> None:
    await settle(platform)
    await accept(platform, signed_registration(41), signed_endorsement(signed_registration(41), OPERATOR_A))
    criterion = await labelled_after(platform, 41, 41, VERIFIER_A, OPERATOR_A, VERIFIER_B)
    assert await specificity_of(platform, VERIFIER_B, criterion) is not None
    for verifier in (41, VERIFIER_A, OPERATOR_A):
        assert await specificity_of(platform, verifier, criterion) is None


async def test_an_operator_that_is_no_seed_keeps_nobody_from_being_measured(platform: Platform) -> None:
    await settle(platform)
    await accept(
        platform,
        *(signed_registration(number) for number in (41, 42)),
        *(signed_endorsement(signed_registration(number), 42) for number in (AUTHOR, 41)),
    )
    criterion = await labelled_after(platform, AUTHOR, 41)
    assert await specificity_of(platform, 41, criterion) is not None


async def test_who_declares_its_key_untrusted_since_before_does_not_erase_what_it_said(platform: Platform) -> None:
    await key_world(platform)
    size = await size_of(platform)
    criterion = await labelled_after(platform, AUTHOR, VERIFIER_A)
    before = await specificity_of(platform, VERIFIER_A, criterion)
    assert before is not None
    revoked = signed_key_revocation(VERIFIER_A, recovery=VERIFIER_A + RECOVERY, not_trusted_since=size)
    await accept(platform, revoked)
    assert await specificity_of(platform, VERIFIER_A, criterion) == before


async def test_a_label_of_a_peer_is_no_answer_that_was_known(platform: Platform) -> None:
    await settle(platform)
    peer = PeerSimulator()
    statement = signed_statement(AUTHOR)
    documents = [
        peer.node.registration(TIME).envelope.received,
        peer.node.sign(gold_label_message(statement, Label.FAIL, labelling_agent=peer.origin)).envelope.received,
    ]
    await accept(platform, statement)
    for place, document in enumerate(documents):
        message = scope_message(read_message(document), peer.origin)
        (outcome,) = await platform.append([Submission(message, origin=peer.origin, origin_index=place)])
        assert not isinstance(outcome, Exception), outcome
    label = gold_label_message(statement, Label.FAIL, labelling_agent=platform.node.agent_id)
    await accept(platform, signed_response(statement, VERIFIER_A), by_node(platform, label))
    assert await specificity_of(platform, VERIFIER_A, label["criterion"]) is not None


def test_a_number_that_is_nothing_is_written_without_a_sign() -> None:
    assert decimal(-0.0) == decimal(-0.00001) == "0.0000"


@given(st.integers(0, 10**6), st.integers(0, 10**6), st.integers(1, 10**4))
def test_an_epoch_is_due_after_its_length_and_a_twentieth_of_the_log(since: int, last_end: int, length: int) -> None:
    missing = entries_until_due(last_end + since, last_end, length)
    for more in {0, max(missing - 1, 0), missing}:
        entries, size = since + more, last_end + since + more
        assert (entries >= length and 20 * entries >= size) is (more >= missing)


def test_who_has_no_vote_under_a_criterion_has_its_prior_there() -> None:
    seen = (DEFAULT_PRIORS.endorsed[0] + 5.00004, DEFAULT_PRIORS.endorsed[1] + 1)
    copy = Copy(worker=0, original=1, both=40, differed=4, expected=8.00004, share=0.5)
    one = Reliability("v", "a", seen, seen, 6, 0.25, "w", copy, 0.5)
    found = EpochEstimate((one,), ((0.0, 0.0), (1.0, 1.0)))
    priors = {"v": DEFAULT_PRIORS.endorsed, "w": DEFAULT_PRIORS.vouched(0.25)}
    table = table_of_estimates(found, priors, ("b", "a"))
    assert table.estimates == (
        Estimate("v", "a", (16.0, 4.0), (16.0, 4.0), 6, 0.25, "w", CopyEvidence(40, 4, 8.0), 0.5),
        Estimate("v", "b", (11.0, 3.0), (11.0, 3.0), 0, 1.0),
        Estimate("w", "a", (5.0, 2.25), (5.0, 2.25), 0, 1.0),
        Estimate("w", "b", (5.0, 2.25), (5.0, 2.25), 0, 1.0),
    )
    assert table.calibration == ((0.0, 0.0), (1.0, 1.0))


def test_trust_scales_the_prior_from_unknown_to_endorsed() -> None:
    assert DEFAULT_PRIORS.vouched(0.0) == DEFAULT_PRIORS.unknown
    assert DEFAULT_PRIORS.vouched(1.0) == DEFAULT_PRIORS.endorsed
    assert DEFAULT_PRIORS.vouched(float("nan")) == DEFAULT_PRIORS.unknown
