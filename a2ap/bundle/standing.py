"""The standing of a bundle's statement, by the messages in it: retracted, revised, signed with an untrusted key."""

from a2ap.bundle.bundled_message import BundledMessage, VerifiedMessages
from a2ap.messages.retraction import Retraction
from a2ap.messages.statement import ProvenanceStatement


def describe_standing(messages: VerifiedMessages) -> tuple[str, ...]:
    """Return a sentence for each thing that takes weight from the statement; empty if there are none."""
    statement = messages.statement
    found = [] if messages.trusted.get(statement.entry.signed_hash) else [_describe_distrust(messages)]
    for one in messages.messages:
        where = f"log entry {one.entry.log_index}"
        if retracts(one, statement, messages) and isinstance(one.message, Retraction):
            reason = f": {one.message.reason}" if one.message.reason else ""
            found.append(f"its author retracted it, {where}{reason}")
        elif supersedes(one, statement, messages):
            found.append(f"its author revised it, {where}: {one.entry.id} takes its place")
    return tuple(found)


def retracts(one: BundledMessage, target: BundledMessage, messages: VerifiedMessages) -> bool:
    """Say whether a message takes back another of the same author, by a trusted key."""
    named = one.message.target_hash if isinstance(one.message, Retraction) else None
    return named == target.entry.signed_hash and _is_by_author(one, target, messages)


def supersedes(one: BundledMessage, target: BundledMessage, messages: VerifiedMessages) -> bool:
    """Say whether a statement revises another of the same author, by a trusted key."""
    revised = one.message.was_revision_of if isinstance(one.message, ProvenanceStatement) else None
    named = None if revised is None else revised.target_hash
    return named == target.entry.signed_hash and _is_by_author(one, target, messages)


def _is_by_author(one: BundledMessage, target: BundledMessage, messages: VerifiedMessages) -> bool:
    return one.entry.agent == target.entry.agent and messages.trusted.get(one.entry.signed_hash, False)


def _describe_distrust(messages: VerifiedMessages) -> str:
    entry = messages.statement.entry
    key = messages.keys.keys.get(entry.key)
    if key is None:
        return f"the key that signed it, {entry.key}, is not trusted where it stands"
    since = f"log entry {key.not_trusted_since} ({key.reason})"
    return f"the key that signed it, {key.key_id}, is not trusted since {since}"
