"""Bundles: everything that a score rests on in one file; each thing that could be put into its place is noticed."""

import base64
import json
from collections.abc import AsyncIterator, Callable, Collection
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from builders import (
    SOURCE,
    agent_id,
    agent_key,
    envelope_of,
    key_revocation_message,
    message_id,
    reference_to,
    segment,
    sign_as,
    signed_agent_version,
    signed_endorsement,
    signed_registration,
    signed_request,
    signed_response,
    signed_retraction,
    signed_statement,
    statement_message,
)
from cli_runner import Run, a2ap
from export_world import secrets
from graph_contents import run_raw
from key_world import RECOVERY, key_world, registration
from peer_simulator import PeerSimulator
from platform_fixture import platform
from scenario import (
    AUTHOR,
    OPERATOR_B,
    STRANGER,
    VERIFIER_A,
    VERIFIER_B,
    accept,
    hash_of,
    settle,
    signed_node_policy,
    verified_world,
)
from servers import server_on
from test_epochs import epochs_of, judged_world
from test_federation import pulled
from test_redaction import erasure_of, hidden, range_of, redaction_of, statement_with, without

from a2ap.bundle.bundle import MEDIA_TYPE, BundleReport, is_bundle, verify_bundle
from a2ap.bundle.in_force import ITEMS
from a2ap.canonical import canonicalize, sha256_digest
from a2ap.errors import BundleError
from a2ap.json_text import write_json
from a2ap.log.checkpoint import Checkpoint, read_checkpoint, sign_checkpoint
from a2ap.log.merkle import hash_leaf, inclusion_proof, root_hash
from a2ap.log.signed_note import VerifierKey, read_note
from a2ap.log.witness_policy import WitnessPolicy
from a2ap.messages.draw_rules import DrawRules
from a2ap.messages.policy import ConsensusMethod
from a2ap.messages.verification_response import Verdict
from a2ap.signing.signature import sign_message
from graph.audit import bundles
from graph.audit.bundle_score import score_of, weigh_bundle
from graph.audit.bundles import BundleMaker
from graph.clearance import ANONYMOUS, OPERATOR, Reader
from graph.errors import ForbiddenError, NotFoundError, TooLargeError
from graph.kinds.registry import TYPES
from graph.platform import Platform

__all__ = ["a2ap", "platform"]

Members = dict[str, Any]


async def bundle_of(platform: Platform, signed_hash: str, reader: Reader = OPERATOR) -> bytes:
    return await BundleMaker(platform.store, platform.content, platform.log, reader).make(signed_hash)


def verified(data: bytes, key: VerifierKey, **options: Any) -> BundleReport:
    return verify_bundle(data, key, weigh=weigh_bundle, **options)


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def made(_session_store: Any, tmp_path_factory: Any) -> AsyncIterator[tuple[bytes, VerifierKey, Platform]]:
    """A bundle of a verified statement with a challenge, and the key of the log."""
    store, _ = _session_store
    await run_raw(store, "MATCH (n) DETACH DELETE n")
    async with server_on(store, tmp_path_factory.mktemp("node")) as platform:
        world = await verified_world(platform)
        await accept(platform, signed_response(world.statement, STRANGER, verdict=Verdict.CHALLENGED, reason="no"))
        yield await bundle_of(platform, hash_of(world.statement)), platform.log.verifier_key, platform


def test_a_bundle_proves_statement_evidence_keys_and_score(made: tuple[bytes, VerifierKey, Platform]) -> None:
    data, key, _ = made
    assert is_bundle(data) and json.loads(data)["mediaType"] == MEDIA_TYPE
    report = verified(data, key)
    assert report.score is not None and report.score.verified
    said = "\n".join(report.proved)
    for what in ("signed its first", "messages are in the log", "in use where they stand", "bytes ", "follows from"):
        assert what in said
    assert any("no other of the log's" in what for what in report.not_proved)
    assert any("no witnesses are asked for" in what for what in report.not_proved)
    types = [json.loads(item["entry"])["type"] for item in json.loads(data)["entries"]]
    assert types.count("VerificationResponse") == 4  # the machine's is one
    assert types.count("AgentRegistration") == 7  # the node, the author, three verifiers, two operators
    assert {"Policy", "Endorsement", "SourceRegistration", "ProvenanceStatement"} <= set(types)


@pytest.mark.both_engines
async def test_a_bundle_has_the_parts_of_the_epoch_that_its_verifiers_are_in(platform: Platform) -> None:
    statement, *_ = await judged_world(platform, epoch_length=10)
    (epoch,) = await epochs_of(platform)
    data = await bundle_of(platform, hash_of(statement))
    assert verified(data, platform.log.verifier_key).statement.envelope.signed_hash == hash_of(statement)
    types = [json.loads(item["entry"])["type"] for item in json.loads(data)["entries"]]
    assert epoch.is_last and "Epoch" in types


async def superseded_world(platform: Platform) -> tuple[bytes, bytes]:
    """Return the bundles of a statement from before and from after a later message of each item."""
    made = await key_world(platform)
    statement = made.statement
    old = await bundle_of(platform, hash_of(statement))
    await accept(platform, signed_agent_version(registration(VERIFIER_B), VERIFIER_B, family="urn:agent:family"))
    await accept(platform, signed_endorsement(registration(VERIFIER_A), OPERATOR_B))
    await accept(platform, signed_response(statement, STRANGER, verdict=Verdict.CHALLENGED, reason="no"))
    await accept(platform, signed_node_policy(platform, 2, threshold=0.99, epoch_length=1))
    await platform.epochs.settled()
    revocation = key_revocation_message(VERIFIER_A, not_trusted_since=made.size - 2)
    await accept(platform, sign_as(revocation, agent_key(VERIFIER_A + RECOVERY)))
    other = "they want outdoor tables."
    left = sha256_digest(without(other))
    await accept(platform, erasure_of(platform, byte_ranges=[range_of(other)], redacted_document_hash=left))
    await accept(platform, signed_retraction(statement, AUTHOR))
    return old, await bundle_of(platform, hash_of(statement))


async def test_a_bundle_that_lacks_a_later_message_of_an_item_says_that_the_item_is_not_proved(
    platform: Platform, a2ap: Run, tmp_path: Path
) -> None:
    """The holder keeps the bundle from before the messages, or leaves those of one item out of a later bundle."""
    old, new = await superseded_world(platform)
    key, file = platform.log.verifier_key, tmp_path / "bundle.json"
    before, after = verified(old, key), verified(new, key)
    assert before.score != after.score
    forgotten = {
        item.item: item.rests_on[-1]
        for item, earlier in zip(after.in_force, before.in_force, strict=True)
        if item.rests_on and item.rests_on[-1] not in earlier.rests_on
    }
    assert list(forgotten) == [item for item, _ in ITEMS], "each item has a later message"

    def told(data: bytes, status: int = 3) -> str:
        file.write_bytes(data)
        return a2ap("verify", file, "--log-key", key.text, status=status).out

    said = told(old)
    assert "verified" not in said
    for one in before.in_force:
        assert not one.proved and f"not proved   {one.sentence}\n" in said and one.item in one.sentence
        assert forgotten[one.item].signed_hash not in said
    for item, types in ITEMS:
        lacking = without_later(new, types, before.checkpoint.tree_size, key)
        (named,) = [one for one in verified(lacking, key).in_force if one.item == item]
        said = told(lacking)
        assert not named.proved and f"not proved   {named.sentence}\n" in said and "verified" not in said
        assert forgotten[item].signed_hash not in said


def without_later(data: bytes, types: Collection[str], size: int, key: VerifierKey) -> bytes:
    """Return a bundle without its messages of these types from an index of the log on, and the score that is left."""
    members = json.loads(data)
    kept = [
        one for one in members["entries"] if one["logIndex"] < size or json.loads(one["entry"])["type"] not in types
    ]
    assert len(kept) < len(members["entries"])
    members["entries"] = kept
    score = weigh_bundle(verify_bundle(json.dumps(members).encode(), key).messages)
    assert score is not None
    members["score"] = {
        "method": score.method, "consensusScore": score.consensus_score, "verified": score.verified
    }  # fmt: skip
    return json.dumps(members).encode()


def test_each_type_of_message_is_of_one_item_of_a_bundle_or_changes_no_score() -> None:
    """A new type of message has its item, or has no `moves_scores`, or is in the list here."""
    of_items = [type for _, types in ITEMS for type in types]
    assert len(of_items) == len(set(of_items))
    assert {item: sorted(types) for item, types in ITEMS} == {
        "policy": ["Policy"],
        "epoch": ["Epoch"],
        "keys": ["AgentDeactivation", "AgentRegistration", "KeyRegistration", "KeyRevocation"],
        "versions of agents": ["AgentVersion"],
        "retractions and revisions": ["ProvenanceStatement", "Retraction"],
        "endorsements": ["Endorsement"],
        "verdicts, challenges and gold": [
            "ChallengeAnswer",
            "GoldDispute",
            "GoldLabel",
            "Probe",
            "VerificationResponse",
        ],
        "redactions": ["Redaction"],
    }
    moving = {type for type, kind in TYPES.items() if kind.moves_scores}
    assert sorted(moving - set(of_items)) == [
        "AdmissionPolicy",
        "Equivocation",
        "LogKeyRotation",
        "PeerAgreement",
        "PeerCheckpoint",
        "VerificationDecline",  # it moves a score under a draw alone, and no bundle has the score there
    ]


# --- one edit for each thing that is covered


def _entry(members: Members, type: str, occurrence: int = 0) -> Members:
    found: list[Members] = [item for item in members["entries"] if json.loads(item["entry"])["type"] == type]
    return found[occurrence]


def _replace(members: Members, type: str, found: bytes, other: bytes) -> None:
    item = _entry(members, type)
    document = base64.b64decode(item["document"])
    assert found in document
    item["document"] = base64.b64encode(document.replace(found, other, 1)).decode()


def _leaf(members: Members, type: str, **changes: Any) -> None:
    item = _entry(members, type)
    item["entry"] = canonicalize(json.loads(item["entry"]) | changes).decode()


def _checkpoint(members: Members, line: int, text: str) -> None:
    lines = members["checkpoint"].split("\n")
    lines[line] = text
    members["checkpoint"] = "\n".join(lines)


def _resign(members: Members) -> None:
    checkpoint = read_checkpoint(read_note(members["checkpoint"]).text)
    members["checkpoint"] = sign_checkpoint(checkpoint, agent_key(66))


def _swap(members: Members) -> None:
    entries = members["entries"]
    entries[3], entries[4] = entries[4], entries[3]


def _drop(type: str, occurrence: int = 0) -> Callable[[Members], None]:
    return lambda members: members["entries"].remove(_entry(members, type, occurrence))


def _source(members: Members) -> None:
    members["sources"][0]["content"] = base64.b64encode(SOURCE + b" ").decode()


def _other_source(members: Members) -> None:
    content = SOURCE + b" "
    members["sources"] = [
        {"documentHash": sha256_digest(content), "content": base64.b64encode(content).decode(), "withheld": None}
    ]


def _withhold(members: Members) -> None:
    _entry(members, "ProvenanceStatement").update(document=None, withheld="no")


def _redact(members: Members) -> None:
    _entry(members, "Endorsement").update(redacted={"by": "urn:uuid:x"})


EDITS: list[tuple[str, Callable[[Members], Any], str]] = [
    ("the media type", lambda m: m.update(mediaType="application/json"), "mediaType is 'application/json'"),
    ("the statement named", lambda m: m.update(statement="sha256:0"), "statement is sha256:0, and no entry has"),
    ("the size of the checkpoint", lambda m: _checkpoint(m, 1, "99"), "the checkpoint: "),
    ("the root of the checkpoint", lambda m: _checkpoint(m, 2, "A" * 43 + "="), "the checkpoint: "),
    ("the log of the checkpoint", lambda m: _checkpoint(m, 0, "urn:agent:a2ap-node:" + "0" * 16), "the checkpoint"),
    ("who signed the checkpoint", _resign, "the checkpoint: the note is not signed by "),
    ("a succession that is none", lambda m: m.update(logKeySuccessions=["x\n\n— y AAAA\n"]), "the log key: "),
    ("successions that are no list", lambda m: m.update(logKeySuccessions=None), "logKeySuccessions is no list"),
    ("the index of an entry", lambda m: m["entries"][3].update(logIndex=5), r"entries\[3\], log entry 5: "),
    ("the proof of an entry", lambda m: m["entries"][3]["hashes"].pop(), r"entries\[3\], log entry 4: "),
    ("a hash of a proof", lambda m: m["entries"][3]["hashes"].__setitem__(0, "A" * 43 + "="), r"entries\[3\], "),
    ("when it was received", lambda m: _leaf(m, "Policy", receivedAt="2020-01-01T00:00:00Z"), "entries"),
    ("who is said to have signed", lambda m: _leaf(m, "ProvenanceStatement", agent="urn:x"), "entries"),
    ("the document of a statement", lambda m: _replace(m, "ProvenanceStatement", b"forty", b"fifty"), "entries"),
    ("a verdict", lambda m: _replace(m, "VerificationResponse", b"VALIDATED", b"CHALLENGED"), "entries"),
    ("white space in a document", lambda m: _replace(m, "Policy", b"{", b"{ "), "has the documentHash"),
    ("a signature", lambda m: _replace(m, "Endorsement", b'"value":"', b'"value":"A'), "entries"),
    ("the order of entries", _swap, "not in log order"),
    ("an entry twice", lambda m: m["entries"].append(m["entries"][-1]), "not in log order, each once"),
    ("a dropped registration", _drop("AgentRegistration", 1), "is registered before it in the bundle"),
    ("a dropped verdict", _drop("VerificationResponse", 1), "score: the bundle states 0."),
    ("a dropped endorsement", _drop("Endorsement"), "score: the bundle states 0."),
    ("a dropped policy", _drop("Policy"), "score: the bundle states 0."),
    ("a dropped check of the machine", _drop("VerificationResponse"), "score: the bundle states 0."),
    ("a dropped statement", _drop("ProvenanceStatement"), "no entry has that hash"),
    ("a statement that is withheld", _withhold, "the statement is not in the bundle"),
    ("a redaction that nobody made", _redact, "no redaction in the bundle says so"),
    ("the bytes of a source", _source, r"sources\[0\]: the bytes of sha256:"),
    ("another source", _other_source, "sources: the statement does not cite sha256:"),
    ("the score", lambda m: m["score"].update(consensusScore="0.9999"), "score: the bundle states 0.9999 "),
    ("whether it is verified", lambda m: m["score"].update(verified=False), "score: the bundle states 0."),
    ("the method of the score", lambda m: m["score"].update(method="a2ap-0.1"), "score: the bundle states 0."),
    ("a document that is no base64", lambda m: m["entries"][2].update(document="%"), "is not base64"),
    ("no entries", lambda m: m.update(entries=[]), "entries has 0 items"),
]  # fmt: skip


@pytest.mark.parametrize(("what", "edit", "said"), EDITS, ids=[edit[0] for edit in EDITS])
def test_an_edited_bundle_is_refused_with_the_place(
    made: tuple[bytes, VerifierKey, Platform], what: str, edit: Callable[[Members], Any], said: str
) -> None:
    data, key, _ = made
    members = json.loads(data)
    edit(members)
    with pytest.raises(BundleError, match=said):
        verified(json.dumps(members).encode(), key)


@pytest.mark.parametrize("data", [b"", b"[]", b"{", b'{"mediaType": 1, "mediaType": 2}', b'{"mediaType": NaN}'])
def test_what_is_no_bundle_is_refused(data: bytes) -> None:
    with pytest.raises(BundleError):
        verify_bundle(data, VerifierKey("x", agent_key(1).public_key))
    assert not is_bundle(data)


def test_a_bundle_is_of_the_log_whose_key_is_given(made: tuple[bytes, VerifierKey, Platform]) -> None:
    data, key, _ = made
    with pytest.raises(BundleError, match="the checkpoint: the note is not signed by"):
        verified(data, VerifierKey(key.name, agent_key(1).public_key))


def test_a_bundle_without_the_witnesses_that_are_asked_for_is_refused(
    made: tuple[bytes, VerifierKey, Platform],
) -> None:
    data, key, _ = made
    policy = WitnessPolicy(1, (VerifierKey("w.example", agent_key(5).public_key, 4),))
    with pytest.raises(BundleError, match="0 of 1 witnesses cosigned"):
        verified(data, key, witnesses=policy)


def test_a_forged_statement_with_everything_that_an_operator_has_is_refused(
    made: tuple[bytes, VerifierKey, Platform],
) -> None:
    """The log's key is the operator's, so that the tree and the entry fit; the author's key is not."""
    data, key, platform = made
    members = json.loads(data)
    statement = statement_message(AUTHOR, claim="The operator says so.", statement_id=message_id("forged"))
    forged = write_json(sign_message(statement, agent_key(98), f"{agent_id(AUTHOR)}#key-1"))
    envelope = envelope_of(forged)
    item = _entry(members, "ProvenanceStatement")
    item["document"] = base64.b64encode(forged).decode()
    hashes = {"signedHash": envelope.signed_hash, "documentHash": envelope.document_hash}
    _leaf(members, "ProvenanceStatement", id=envelope.id, **hashes)
    leaves = [hash_leaf(item["entry"].encode()) for item in members["entries"]]
    for index, item in enumerate(members["entries"]):
        proof = inclusion_proof(
            index, len(leaves), lambda level, at: root_hash(leaves[at << level : (at + 1) << level])
        )
        item |= {"logIndex": index, "hashes": [base64.b64encode(node).decode() for node in proof]}
    checkpoint = Checkpoint(key.name, len(leaves), root_hash(leaves))
    members |= {
        "statement": envelope.signed_hash,
        "checkpoint": sign_checkpoint(checkpoint, platform.log.signers.signer_of(key)),
    }
    with pytest.raises(BundleError, match=r"the signature in the name of .* is not by"):
        verified(json.dumps(members).encode(), key)


# --- bundles of other statements


async def test_what_the_reader_may_not_have_is_named_and_not_proved(platform: Platform) -> None:
    clear, _, quiet = await secrets(platform)
    key = platform.log.verifier_key
    with pytest.raises(ForbiddenError, match="is confidential"):
        await bundle_of(platform, hash_of(clear), ANONYMOUS)
    whole = verified(await bundle_of(platform, hash_of(quiet)), key)
    assert whole.sources and "follows from the verdicts" in "\n".join(whole.proved)
    report = verified(await bundle_of(platform, hash_of(quiet), ANONYMOUS), key)
    assert not report.sources
    said = "\n".join(report.not_proved)
    assert "that evidence[0] contains the words that it quotes: the source is confidential" in said
    assert "a VerificationResponse: the source is confidential" in said
    assert "a message it rests on is withheld" in said


async def test_a_statement_that_nobody_judged_scores_nothing(platform: Platform) -> None:
    await settle(platform)
    statement = signed_statement(AUTHOR)
    await accept(platform, statement)
    report = verified(await bundle_of(platform, hash_of(statement)), platform.log.verifier_key)
    assert report.score is not None and report.score.consensus_score == "0.0000"
    assert any("the score 0.0000" in what for what in report.proved)


async def test_a_score_by_reputations_and_one_that_drawn_operators_decide_are_said_not_to_be_proved(
    platform: Platform,
) -> None:
    world = await verified_world(platform)
    await accept(platform, signed_node_policy(platform, 2, method=ConsensusMethod.LITERAL))
    report = verified(await bundle_of(platform, hash_of(world.statement)), platform.log.verifier_key)
    assert any("a2ap-0.1 cannot be computed from a bundle" in what for what in report.not_proved)
    draw = DrawRules(operators=2, least=2, window=60)
    await accept(platform, signed_node_policy(platform, 3, draw=draw), signed_request(world.statement, AUTHOR))
    await accept(platform, signed_response(world.statement, VERIFIER_A, confidence=0.9))
    report = verified(await bundle_of(platform, hash_of(world.statement)), platform.log.verifier_key)
    assert any("a2ap-posterior cannot be computed from a bundle" in what for what in report.not_proved)


async def test_the_scores_of_a_busy_history_follow_from_their_bundles(platform: Platform) -> None:
    world = await verified_world(platform)
    second = signed_statement(AUTHOR, claim="The map keeps forty feet.", supports=[reference_to(world.statement)])
    revision = signed_statement(
        AUTHOR, claim="Forty feet, then.", statement_id=message_id("r"), was_revision_of=reference_to(second)
    )
    third = signed_statement(STRANGER, claim="The map drops it.", contradicts=[reference_to(second)])
    late = signed_registration(41)
    await accept(platform, second, third, late)
    await accept(
        platform,
        signed_response(second, VERIFIER_A, confidence=0.7),
        signed_response(third, VERIFIER_A, verdict=Verdict.CHALLENGED, reason="the source says otherwise"),
        signed_response(third, VERIFIER_B, verdict=Verdict.CHALLENGED, reason="the source says otherwise"),
        signed_response(second, 41, confidence=1.0),
        signed_response(second, VERIFIER_B),
        revision,
        signed_response(world.statement, VERIFIER_B, verdict=Verdict.CHALLENGED, reason="on second thoughts"),
    )
    for statement in (world.statement, second, third):
        report = verified(await bundle_of(platform, hash_of(statement)), platform.log.verifier_key)
        assert "follows from the verdicts" in "\n".join(report.proved)


async def test_a_key_that_is_not_trusted_and_a_retraction_change_the_score_in_the_bundle_as_well(
    platform: Platform,
) -> None:
    made = await key_world(platform)
    key = platform.log.verifier_key
    assert verified(await bundle_of(platform, hash_of(made.statement)), key).score == score_of(
        "a2ap-posterior", *await published(platform, made.statement)
    )
    revocation = key_revocation_message(VERIFIER_A, not_trusted_since=made.size - 2)
    await accept(platform, sign_as(revocation, agent_key(VERIFIER_A + RECOVERY)))
    revoked = verified(await bundle_of(platform, hash_of(made.statement)), key)
    assert "follows from the verdicts" in "\n".join(revoked.proved)
    assert revoked.score is not None and not revoked.score.verified
    assert revoked.standing == ()
    other = signed_statement(AUTHOR, claim="Said and taken back.")
    await accept(platform, other, signed_response(other, VERIFIER_B), signed_retraction(other, AUTHOR))
    taken_back = verified(await bundle_of(platform, hash_of(other)), key)
    assert "follows from the verdicts" in "\n".join(taken_back.proved)
    assert [sentence.partition(", log entry")[0] for sentence in taken_back.standing] == ["its author retracted it"]


async def test_a_bundle_says_that_the_key_of_its_statement_is_not_trusted(platform: Platform) -> None:
    made = await key_world(platform)
    revocation = key_revocation_message(AUTHOR, not_trusted_since=0)
    await accept(platform, sign_as(revocation, agent_key(AUTHOR + RECOVERY)))
    report = verified(await bundle_of(platform, hash_of(made.statement)), platform.log.verifier_key)
    assert report.standing == (
        f"the key that signed it, {agent_id(AUTHOR)}#key-1, is not trusted since log entry 0 (keyCompromise)",
    )


async def published(platform: Platform, statement: bytes) -> tuple[float, bool]:
    (row,) = await platform.store.read("statements_by_hash", hashes=[hash_of(statement)])
    return row["consensus_score"], row["verified"]


async def test_a_statement_that_came_from_a_peer_has_a_bundle(platform: Platform) -> None:
    peer = PeerSimulator()
    statement = signed_statement(1)
    peer.add(signed_registration(1), statement, signed_registration(2), signed_response(statement, 2))
    await pulled(platform, peer)
    report = verified(await bundle_of(platform, hash_of(statement)), platform.log.verifier_key)
    assert "follows from the verdicts" in "\n".join(report.proved)
    assert report.messages.statement.entry.agent == f"{agent_id(1)}@{peer.origin}"


async def test_a_redacted_statement_has_a_bundle_that_says_who_redacted_it(platform: Platform) -> None:
    await settle(platform)
    disclosure = hidden()
    statement = statement_with(disclosure)
    await accept(platform, statement, redaction_of(platform, statement, disclosure, None))
    report = verified(await bundle_of(platform, hash_of(statement)), platform.log.verifier_key)
    assert any("was redacted, by a message in the log" in what for what in report.proved)


@pytest.mark.parametrize("ranges", [[], ["The new zoning map keeps the height limit at forty feet."]])
async def test_a_bundle_says_who_redacted_a_source(platform: Platform, ranges: list[str]) -> None:
    left = sha256_digest(without(*ranges)) if ranges else None
    await settle(platform)
    # With the quote or its hash in it, the statement would be withheld as a whole.
    silent = {name: value for name, value in segment().items() if name not in ("quoteText", "contentHash")}
    statement = signed_statement(AUTHOR, evidence=[silent])
    await accept(platform, statement)
    byte_ranges = [range_of(words) for words in ranges]
    await accept(platform, erasure_of(platform, byte_ranges=byte_ranges, redacted_document_hash=left))
    data = await bundle_of(platform, hash_of(statement))
    report = verified(data, platform.log.verifier_key)
    assert any(
        what.startswith(f"the source {sha256_digest(SOURCE)} was redacted, by log entry") for what in report.proved
    )
    assert any("contains the words that it quotes: it was redacted by" in what for what in report.not_proved)


async def test_what_more_rests_on_than_a_bundle_holds_has_none(
    platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    statement = hash_of((await verified_world(platform)).statement)
    for name in ("MAX_VERDICTS", "MAX_ENTRIES", "MAX_MESSAGE_BYTES"):
        with monkeypatch.context() as patch:
            patch.setattr(bundles, name, 1)
            with pytest.raises(TooLargeError, match="and a bundle holds 1"):
                await bundle_of(platform, statement)


async def test_a_bundle_of_nothing_is_not_found(platform: Platform) -> None:
    with pytest.raises(NotFoundError):
        await bundle_of(platform, "sha256:" + "0" * 64)
