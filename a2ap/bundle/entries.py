"""The entries of a bundle: each is in the log, and its document is the one that it names, redacted or whole."""

from collections.abc import Mapping
from typing import Any

from a2ap.bundle.bundled_message import BundledMessage, VerifiedMessages
from a2ap.bundle.members import Place, read_base64, read_objects, read_text, read_texts
from a2ap.canonical import sha256_digest
from a2ap.errors import BundleError
from a2ap.log.checkpoint import Checkpoint
from a2ap.log.entry import LogEntry, read_entry
from a2ap.log.merkle import hash_leaf, verify_inclusion
from a2ap.messages.message import read_message
from a2ap.messages.redaction import Redaction
from a2ap.messages.scoping import scope_message

_MAX_ENTRIES = 100_000


def verify_entries(
    document: Mapping[str, Any], checkpoint: Checkpoint, proved: list[str], not_proved: list[str]
) -> tuple[BundledMessage, ...]:
    """Return the messages of a bundle, in log order; raises if one is not in the log or disagrees with its entry."""
    members = read_objects(document, "entries")
    if not members or len(members) > _MAX_ENTRIES:
        raise BundleError(f"entries has {len(members)} items")
    found = []
    for position, item in enumerate(members):
        where = f"entries[{position}]"
        index = item.get("logIndex")
        if type(index) is not int or index < 0:
            raise BundleError(f"{where}: logIndex is {index!r}")
        leaf = read_text(item, "entry").encode()
        with Place(f"{where}, log entry {index}"):
            hashes = [read_base64(text, f"{where}.hashes") for text in read_texts(item, "hashes")]
            verify_inclusion(hash_leaf(leaf), index, checkpoint.tree_size, hashes, checkpoint.root_hash)
            entry = read_entry(leaf, index)
            found.append(_verify_document(item, entry, checkpoint.origin))
    indices = [one.entry.log_index for one in found]
    if indices != sorted(set(indices)):
        raise BundleError("the entries are not in log order, each once")
    proved.append(f"{len(found)} messages are in the log")
    for one in found:
        if one.withheld is not None:
            not_proved.append(f"the content of log entry {one.entry.log_index}, a {one.entry.type}: {one.withheld}")
    return tuple(found)


def _verify_document(item: Mapping[str, Any], entry: LogEntry, home: str) -> BundledMessage:
    """Return the message of an entry; raises if its document is another one or disagrees with the entry."""
    text, redacted = item.get("document"), item.get("redacted")
    if text is None:
        return BundledMessage(entry, None, read_text(item, "withheld"))
    received = read_base64(text, "document")
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


def verify_redactions(messages: VerifiedMessages, proved: list[str]) -> None:
    """Raise if a document is marked as redacted and no redaction in the bundle produced it."""
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
    for one in messages.messages:
        source = one.message.document_hash if isinstance(one.message, Redaction) else None
        if source is not None and one.entry.agent == messages.home:
            proved.append(f"the source {source} was redacted, by log entry {one.entry.log_index}")


def _agent_of(redaction: BundledMessage, messages: VerifiedMessages) -> str | None:
    """Return the author of the message that a redaction targets; authors may redact disclosures of their own."""
    target = getattr(redaction.message, "target_hash", None)
    return next((one.entry.agent for one in messages.messages if one.entry.signed_hash == target), None)
