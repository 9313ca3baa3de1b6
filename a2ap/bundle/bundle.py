"""Bundles: one file with a statement and everything that its score rests on, to be verified off-line.

A bundle has the messages, each with its log entry and the proof that the entry is in the log; one checkpoint for all
of them and the notes with which the log's keys changed; the cited sources, as far as its reader may have them.

`verify_bundle` checks in this order and raises on the first step that fails:

(1) the log's key, or one that it handed the log to, signed the checkpoint; enough witnesses cosigned it;
(2) every entry is in the log of that checkpoint;
(3) every document is the one that its entry names, and agrees with the entry;
(4) every signature is by a key of its agent that was in use at its place in the log;
(5) the sources are those that the statement cites, and have the cited bytes at the cited place;
(6) the score follows from the verdicts in the bundle, if a function that weighs them is given.

The report names everything that could not be checked. A bundle never proves that there is nothing else: another
verdict, a later revocation.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from a2ap.bundle.bundled_message import BundledMessage, Score, VerifiedMessages, Weigh
from a2ap.bundle.entries import verify_entries, verify_redactions
from a2ap.bundle.in_force import InForce, name_in_force
from a2ap.bundle.keys import BundleKeys
from a2ap.bundle.members import (
    MEDIA_TYPE,
    Place,
    is_bundle,
    read_bundle,
    read_text,
    read_texts,
)
from a2ap.bundle.sources import verify_sources
from a2ap.bundle.standing import describe_standing
from a2ap.errors import BundleError
from a2ap.log.checkpoint import Checkpoint, open_checkpoint
from a2ap.log.log_key import LogKeys, follow_successions
from a2ap.log.signed_note import VerifierKey
from a2ap.log.witness_policy import WitnessPolicy
from a2ap.messages.agent_registration import AgentRegistration
from a2ap.messages.message import MessageType
from a2ap.messages.statement import ProvenanceStatement

__all__ = [
    "MEDIA_TYPE",
    "BundleReport",
    "BundledMessage",
    "Score",
    "VerifiedMessages",
    "Weigh",
    "is_bundle",
    "verify_bundle",
]


@dataclass(frozen=True, slots=True)
class BundleReport:
    """The properties that a bundle proves and those that it does not, each as a sentence.

    `standing` lists reasons that take weight from the statement: a retraction, a revision, a key that is not trusted.
    `in_force` names the policy, epoch, keys and other items that the score rests on, and says of each whether the
    bundle proves that it is in force at the checkpoint.
    """

    checkpoint: Checkpoint
    statement: ProvenanceStatement
    messages: VerifiedMessages
    sources: Mapping[str, bytes]
    score: Score | None
    standing: tuple[str, ...]
    proved: tuple[str, ...]
    not_proved: tuple[str, ...]
    in_force: tuple[InForce, ...]

    @property
    def is_current(self) -> bool:
        """Whether everything that the score rests on is proved to be in force at the checkpoint."""
        return all(one.proved for one in self.in_force)


def verify_bundle(
    data: bytes, key: VerifierKey, *, witnesses: WitnessPolicy | None = None, weigh: Weigh | None = None
) -> BundleReport:
    """Verify a bundle off-line; raises `BundleError` on the first step that fails, naming the place.

    `key` is any key that the log has had, known to the verifier from elsewhere; nothing in the bundle is believed that
    does not follow from it.
    """
    document = read_bundle(data)
    proved: list[str] = []
    not_proved: list[str] = []
    checkpoint = _verify_checkpoint(document, key, witnesses, proved, not_proved)
    bundled = verify_entries(document, checkpoint, proved, not_proved)
    messages = _verify_signatures(document, checkpoint.origin, bundled, proved)
    verify_redactions(messages, proved)
    statement = messages.statement.message
    if not isinstance(statement, ProvenanceStatement):
        raise BundleError("the statement is not in the bundle")
    sources = verify_sources(document, statement, proved, not_proved)
    score = _verify_score(document, messages, weigh, proved, not_proved)
    size = checkpoint.tree_size
    not_proved.append(f"that no other of the log's {size} entries is a verdict, endorsement, retraction or revocation")
    not_proved.append("the state of the statement after the checkpoint")
    in_force = name_in_force(messages)
    not_proved.extend(one.sentence for one in in_force if not one.proved)
    standing = describe_standing(messages)
    return BundleReport(
        checkpoint, statement, messages, sources, score, standing, tuple(proved), tuple(not_proved), in_force
    )


def _verify_checkpoint(
    document: Mapping[str, Any],
    key: VerifierKey,
    witnesses: WitnessPolicy | None,
    proved: list[str],
    not_proved: list[str],
) -> Checkpoint:
    note, successions = read_text(document, "checkpoint"), read_texts(document, "logKeySuccessions")
    with Place("the log key"):
        keys: LogKeys = follow_successions(key, successions)
    with Place("the checkpoint"):
        checkpoint = open_checkpoint(note, keys)
        if witnesses is not None:
            witnesses.check(note)
    proved.append(f"the log {checkpoint.origin} signed its first {checkpoint.tree_size} entries")
    if witnesses is not None and witnesses.quorum:
        proved.append(f"{witnesses.quorum} witnesses or more have seen the same log")
    else:
        not_proved.append("that others see the same log: no witnesses are asked for")
    return checkpoint


def _verify_signatures(
    document: Mapping[str, Any], home: str, bundled: Sequence[BundledMessage], proved: list[str]
) -> VerifiedMessages:
    keys = BundleKeys(home, [one.entry for one in bundled])
    used: dict[str, str] = {}
    for one in bundled:
        if one.message is not None:
            with Place(f"log entry {one.entry.log_index}"):
                used[one.entry.signed_hash] = keys.verify(one.message, one.entry)
    history = keys.history
    trusted = {
        one.entry.signed_hash: history.keys[used[one.entry.signed_hash]].is_trusted_at(one.entry.log_index)
        for one in bundled
        if one.entry.signed_hash in used and used[one.entry.signed_hash] in history.keys
    }
    proved.append(f"{len(used)} signatures are by keys of their agents that were in use where they stand in the log")
    name = read_text(document, "statement")
    statement = next((one for one in bundled if one.entry.signed_hash == name), None)
    if statement is None:
        raise BundleError(f"statement is {name}, and no entry has that hash")
    agents = sum(isinstance(one.message, AgentRegistration) for one in bundled)
    proved.append(f"{agents} agents registered their keys in the log")
    return VerifiedMessages(home, statement, tuple(bundled), history, trusted)


def _verify_score(
    document: Mapping[str, Any],
    messages: VerifiedMessages,
    weigh: Weigh | None,
    proved: list[str],
    not_proved: list[str],
) -> Score | None:
    members = document.get("score")
    if members is None:
        not_proved.append("any score: nobody has judged the statement")
        return None
    stated = _read_score(members)
    # A source's registration says nothing of a score.
    withheld = [
        one for one in messages.messages if one.message is None and one.entry.type != MessageType.SOURCE_REGISTRATION
    ]
    found = weigh(messages) if weigh is not None and not withheld else None
    if found is None:
        why = "a message it rests on is withheld" if withheld else f"{stated.method} cannot be computed from a bundle"
        not_proved.append(f"the score {stated.consensus_score}: {why if weigh is not None else 'it was not computed'}")
        return stated
    if found != stated:
        raise BundleError(
            f"score: the bundle states {_in_words(stated)}; its verdicts and its policy make {_in_words(found)}"
        )
    if found.verified:
        not_proved.append("that no statement that it excludes has the better verdicts")
    proved.append(
        f"the score {found.consensus_score} by {found.method} follows from the verdicts and the policy in here"
    )
    return stated


def _in_words(score: Score) -> str:
    stands = "verified" if score.verified else "not verified"
    return f"{score.consensus_score} by {score.method}, and the statement {stands}"


def _read_score(members: Any) -> Score:
    if not isinstance(members, dict) or type(members.get("verified")) is not bool:
        raise BundleError("score is not one")
    return Score(read_text(members, "method"), read_text(members, "consensusScore"), members["verified"])
