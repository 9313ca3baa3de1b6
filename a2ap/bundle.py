"""Bundles: one file with a statement and all that its score rests on, to be verified without asking anybody.

In it: the messages, each with its log entry and the proof that the entry is in the log; one checkpoint for all of
them and the notes with which the log's keys changed; the sources that are cited, as far as its reader may have them.

`verify_bundle` checks in this order and raises on the first thing that does not hold:

(1) the log's key, or one that it handed the log to, signed the checkpoint; enough witnesses cosigned it;
(2) every entry is in the log of that checkpoint;
(3) every document is the one that its entry names, and says what the entry says;
(4) every signature is by a key of its agent that was in use at its place in the log;
(5) the sources are those that the statement cites, and have what it cites at the place that it names;
(6) the score is what the verdicts in the bundle make it, where a function that weighs them is given.

What it could not check it says. A bundle never proves that there is nothing else: another verdict, a later revocation.
"""

import base64
import binascii
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from a2ap.agent_registration import AgentRegistration
from a2ap.bundle_keys import BundleKeys
from a2ap.canonical import sha256_digest
from a2ap.errors import A2APError, BundleError
from a2ap.evidence import EvidenceSegment
from a2ap.key_history import KeyHistory
from a2ap.log.checkpoint import Checkpoint, open_checkpoint
from a2ap.log.entry import LogEntry, read_entry
from a2ap.log.log_key import LogKeys, follow_successions
from a2ap.log.merkle import hash_leaf, verify_inclusion
from a2ap.log.signed_note import VerifierKey
from a2ap.log.witness_policy import WitnessPolicy
from a2ap.message import Message, read_message
from a2ap.redaction import Redaction
from a2ap.scoping import scope_message
from a2ap.statement import ProvenanceStatement

MEDIA_TYPE = "application/vnd.a2ap.bundle+json;version=0.1"

_MAX_ENTRIES = 100_000


@dataclass(frozen=True, slots=True)
class BundledMessage:
    """A message at its place in the log; `message` is None where its document is withheld.

    Of one that was redacted, `redacted_hash` is the hash of what is left of it.
    """

    entry: LogEntry
    message: Message | None
    withheld: str | None = None
    redacted_hash: str | None = None


@dataclass(frozen=True, slots=True)
class Score:
    """What became of a statement: as published, four decimals."""

    method: str
    consensus_score: str
    verified: bool


@dataclass(frozen=True, slots=True)
class VerifiedMessages:
    """The messages of a bundle, in log order, all of whose entries, documents and signatures hold."""

    home: str
    statement: BundledMessage
    messages: tuple[BundledMessage, ...]
    keys: KeyHistory
    trusted: Mapping[str, bool]
    """Whether the key is trusted at the place where it signed, by the signed hash of the message."""


Weigh = Callable[[VerifiedMessages], Score | None]
"""Computes the score; None where it cannot be computed from a bundle, as by a method that asks for reputations."""


@dataclass(frozen=True, slots=True)
class BundleReport:
    """What a bundle proves and what it does not; each a sentence."""

    checkpoint: Checkpoint
    statement: ProvenanceStatement
    messages: VerifiedMessages
    sources: Mapping[str, bytes]
    score: Score | None
    proved: tuple[str, ...]
    not_proved: tuple[str, ...]


def is_bundle(data: bytes) -> bool:
    """Say whether a file calls itself a bundle."""
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        return False
    return isinstance(document, dict) and str(document.get("mediaType", "")).startswith("application/vnd.a2ap.bundle")


def verify_bundle(
    data: bytes, key: VerifierKey, *, witnesses: WitnessPolicy | None = None, weigh: Weigh | None = None
) -> BundleReport:
    """Verify a bundle off-line; raises `BundleError`, naming the place, on the first thing that does not hold.

    `key` is any key that the log has had, as the verifier came to know it; nothing of the bundle is believed that
    does not follow from it.
    """
    document = _read(data)
    proved: list[str] = []
    not_proved: list[str] = []
    checkpoint = _verify_checkpoint(document, key, witnesses, proved, not_proved)
    bundled = _verify_messages(document, checkpoint, proved, not_proved)
    messages = _verify_signatures(document, checkpoint.origin, bundled, proved)
    _verify_redactions(messages, proved)
    statement = messages.statement.message
    if not isinstance(statement, ProvenanceStatement):
        raise BundleError("the statement is not in the bundle")
    sources = _verify_sources(document, statement, proved, not_proved)
    score = _verify_score(document, messages, weigh, proved, not_proved)
    size = checkpoint.tree_size
    not_proved.append(f"that no other of the log's {size} entries is a verdict, endorsement, retraction or revocation")
    not_proved.append("what became of the statement after the checkpoint")
    return BundleReport(checkpoint, statement, messages, sources, score, tuple(proved), tuple(not_proved))


def _verify_checkpoint(
    document: Mapping[str, Any],
    key: VerifierKey,
    witnesses: WitnessPolicy | None,
    proved: list[str],
    not_proved: list[str],
) -> Checkpoint:
    note, successions = _text(document, "checkpoint"), _texts(document, "logKeySuccessions")
    with _Place("the log key"):
        keys: LogKeys = follow_successions(key, successions)
    with _Place("the checkpoint"):
        checkpoint = open_checkpoint(note, keys)
        if witnesses is not None:
            witnesses.check(note)
    proved.append(f"the log {checkpoint.origin} signed its first {checkpoint.tree_size} entries")
    if witnesses is not None and witnesses.quorum:
        proved.append(f"{witnesses.quorum} witnesses or more have seen the same log")
    else:
        not_proved.append("that others see the same log: no witnesses are asked for")
    return checkpoint


def _verify_messages(
    document: Mapping[str, Any], checkpoint: Checkpoint, proved: list[str], not_proved: list[str]
) -> tuple[BundledMessage, ...]:
    members = _objects(document, "entries")
    if not members or len(members) > _MAX_ENTRIES:
        raise BundleError(f"entries has {len(members)} items")
    found = []
    for position, item in enumerate(members):
        where = f"entries[{position}]"
        index = item.get("logIndex")
        if type(index) is not int or index < 0:
            raise BundleError(f"{where}: logIndex is {index!r}")
        leaf = _text(item, "entry").encode()
        with _Place(f"{where}, log entry {index}"):
            hashes = [_base64(text, f"{where}.hashes") for text in _texts(item, "hashes")]
            verify_inclusion(hash_leaf(leaf), index, checkpoint.tree_size, hashes, checkpoint.root_hash)
            entry = read_entry(leaf, index)
            found.append(_verify_document(item, entry, checkpoint.origin))
    indices = [one.entry.log_index for one in found]
    if indices != sorted(set(indices)):
        raise BundleError("the entries are not in log order, each once")
    proved.append(f"{len(found)} messages are in the log")
    for one in found:
        if one.withheld is not None:
            not_proved.append(f"what log entry {one.entry.log_index} says, a {one.entry.type}: {one.withheld}")
    return tuple(found)


def _verify_document(item: Mapping[str, Any], entry: LogEntry, home: str) -> BundledMessage:
    """Return the message of an entry; raises where the document is another one or says something else."""
    text, redacted = item.get("document"), item.get("redacted")
    if text is None:
        return BundledMessage(entry, None, _text(item, "withheld"))
    received = _base64(text, "document")
    message = read_message(received)
    if entry.origin_index is not None:
        message = scope_message(message, entry.origin, home)
    envelope = message.envelope
    stated = {
        "signedHash": (entry.signed_hash, envelope.signed_hash),
        "type": (entry.type, envelope.type.value),
        "id": (entry.id, envelope.id),
        "agent": (entry.agent, envelope.agent_id),
        "key": (entry.key, envelope.signature.public_key if envelope.signature else ""),
    }
    found_hash = sha256_digest(received)
    if not redacted:
        stated["documentHash"] = (entry.document_hash, found_hash)
    for name, (said, found) in stated.items():
        if said != found:
            raise BundleError(f"the entry has the {name} {said}, its document has {found}")
    return BundledMessage(entry, message, redacted_hash=found_hash if redacted else None)


def _verify_signatures(
    document: Mapping[str, Any], home: str, bundled: Sequence[BundledMessage], proved: list[str]
) -> VerifiedMessages:
    keys = BundleKeys(home)
    used: dict[str, str] = {}
    for one in bundled:
        if one.message is not None:
            with _Place(f"log entry {one.entry.log_index}"):
                used[one.entry.signed_hash] = keys.verify(one.message, one.entry)
    history = keys.history(bundled_times=[(one.entry.received_at, one.entry.log_index) for one in bundled])
    trusted = {
        one.entry.signed_hash: history.keys[used[one.entry.signed_hash]].is_trusted_at(one.entry.log_index)
        for one in bundled
        if one.entry.signed_hash in used and used[one.entry.signed_hash] in history.keys
    }
    proved.append(f"{len(used)} signatures are by keys of their agents that were in use where they stand in the log")
    name = _text(document, "statement")
    statement = next((one for one in bundled if one.entry.signed_hash == name), None)
    if statement is None:
        raise BundleError(f"statement is {name}, and no entry has that hash")
    agents = sum(isinstance(one.message, AgentRegistration) for one in bundled)
    proved.append(f"{agents} agents registered their keys in the log")
    return VerifiedMessages(home, statement, tuple(bundled), history, trusted)


def _verify_redactions(messages: VerifiedMessages, proved: list[str]) -> None:
    """Raise where a document is not as it was received, and no redaction in the bundle says so."""
    redactions = {
        (one.message.target_hash, one.message.redacted_document_hash)
        for one in messages.messages
        if isinstance(one.message, Redaction)
        and one.message.envelope.agent_id in (messages.home, _agent_of(one, messages))
    }
    for one in messages.messages:
        if one.redacted_hash is None:
            continue
        if (one.entry.signed_hash, one.redacted_hash) not in redactions:
            where = f"log entry {one.entry.log_index}"
            raise BundleError(f"{where}: its document is said to be redacted, and no redaction in the bundle says so")
        proved.append(f"log entry {one.entry.log_index} was redacted, by a message in the log")


def _agent_of(redaction: BundledMessage, messages: VerifiedMessages) -> str | None:
    """Return the author of what is redacted, who may take away disclosures of its own."""
    target = getattr(redaction.message, "target_hash", None)
    return next((one.entry.agent for one in messages.messages if one.entry.signed_hash == target), None)


def _verify_sources(
    document: Mapping[str, Any], statement: ProvenanceStatement, proved: list[str], not_proved: list[str]
) -> Mapping[str, bytes]:
    sources: dict[str, bytes] = {}
    reasons: dict[str, str] = {}
    for position, item in enumerate(_objects(document, "sources")):
        name, text = _text(item, "documentHash"), item.get("content")
        if text is None:
            reasons[name] = _text(item, "withheld")
            continue
        sources[name] = _base64(text, f"sources[{position}].content")
        if sha256_digest(sources[name]) != name:
            raise BundleError(f"sources[{position}]: the bytes of {name} have the hash {sha256_digest(sources[name])}")
    cited = {segment.document_hash for segment in statement.evidence}
    if extra := sorted(sources.keys() - cited):
        raise BundleError(f"sources: the statement does not cite {extra[0]}")
    for position, segment in enumerate(statement.evidence):
        where = f"evidence[{position}]"
        content = sources.get(segment.document_hash or "")
        if content is None:
            reason = reasons.get(segment.document_hash or "", "the bundle has not its bytes")
            not_proved.append(f"that {where} says what it quotes: {reason}")
            continue
        _verify_segment(segment, content, where)
        proved.append(f"{where} is bytes {segment.byte_range.start} to {segment.byte_range.end} of the source it names")
        if segment.content_hash is None:
            not_proved.append(f"that {where} is meant as those bytes: it has no contentHash")
    return sources


def _verify_segment(segment: EvidenceSegment, content: bytes, where: str) -> None:
    start, end = segment.byte_range.start, segment.byte_range.end
    if end > len(content):
        raise BundleError(f"{where}: it cites bytes {start} to {end} of a source of {len(content)}")
    found = sha256_digest(content[start:end])
    if segment.content_hash is not None and segment.content_hash != found:
        raise BundleError(f"{where}: the bytes that it cites have the hash {found}, not {segment.content_hash}")


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
    withheld = [one for one in messages.messages if one.message is None]
    found = weigh(messages) if weigh is not None and not withheld else None
    if found is None:
        why = (
            "some of what it rests on is withheld" if withheld else f"{stated.method} cannot be computed from a bundle"
        )
        not_proved.append(f"the score {stated.consensus_score}: {why if weigh is not None else 'it was not computed'}")
        return stated
    if found != stated:
        raise BundleError(
            f"score: it is {stated.consensus_score} by {stated.method}, verified: {stated.verified}; the verdicts make"
            f" it {found.consensus_score} by {found.method}, verified: {found.verified}"
        )
    judged = "verified" if found.verified else "not verified"
    proved.append(f"the score {found.consensus_score} by {found.method}, {judged}, follows from the verdicts in here")
    return stated


def _read_score(members: Any) -> Score:
    if not isinstance(members, dict) or type(members.get("verified")) is not bool:
        raise BundleError("score is not one")
    return Score(_text(members, "method"), _text(members, "consensusScore"), members["verified"])


class _Place:
    """Names the place in whatever is raised within it."""

    def __init__(self, where: str) -> None:
        self._where = where

    def __enter__(self) -> None:
        """Begin."""

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        """Raise `BundleError` with the place for what does not hold."""
        if isinstance(error, A2APError):
            raise BundleError(f"{self._where}: {error}") from error


def _read(data: bytes) -> dict[str, Any]:
    try:
        document = json.loads(data, object_pairs_hook=_without_duplicates, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise BundleError(f"the bundle is not JSON: {error}") from error
    if not isinstance(document, dict):
        raise BundleError("the bundle is not a JSON object")
    if document.get("mediaType") != MEDIA_TYPE:
        raise BundleError(f"mediaType is {str(document.get('mediaType'))[:100]!r}, not {MEDIA_TYPE}")
    return document


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a member is there twice")
    return members


def _refuse(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _text(members: Mapping[str, Any], name: str) -> str:
    value = members.get(name)
    if not isinstance(value, str):
        raise BundleError(f"{name} is missing or no text")
    return value


def _texts(members: Mapping[str, Any], name: str) -> list[str]:
    value = members.get(name)
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise BundleError(f"{name} is no list of texts")
    return value


def _objects(members: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    value = members.get(name)
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise BundleError(f"{name} is no list of objects")
    return value


def _base64(text: Any, where: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError, TypeError) as error:
        raise BundleError(f"{where} is not base64") from error
