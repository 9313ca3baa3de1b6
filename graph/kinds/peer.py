"""The node's messages about its peers: agreements, checkpoints and equivocations (docs/how-to/federation.md)."""

import base64
from urllib.parse import urlsplit

from a2ap.errors import KeyFormatError, LogError, ScopeError
from a2ap.log.checkpoint import read_checkpoint
from a2ap.log.entry import LogEntry
from a2ap.log.equivocation import verify_equivocation
from a2ap.log.log_key import follow_successions
from a2ap.log.signed_note import VerifierKey, read_note
from a2ap.messages.equivocation import Equivocation
from a2ap.messages.peer_agreement import PeerAgreement
from a2ap.messages.peer_checkpoint import PeerCheckpoint
from a2ap.messages.scoping import check_origin
from a2ap.times import format_instant
from graph.errors import ForbiddenError, InputError, RefusedError, TargetError
from graph.kinds.kind import Kind, StoredContent, Terms
from graph.kinds.state import State
from graph.kinds.wanted_names import WantedNames
from graph.log.row_lists import Row, Rows

MAX_URL = 512


def check_peer_url(url: str) -> str:
    """Return the base URL of a peer without a slash at its end; raises `InputError`."""
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable or len(url) > MAX_URL:
        raise InputError(f"{url[:MAX_URL]!r} is not an http or https address", "url")
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        raise InputError("the address of a peer has no user, query or fragment", "url")
    return url.rstrip("/")


def _check_agreement(message: PeerAgreement, state: State, _terms: Terms) -> None:
    _log_key_of(message)
    try:
        check_origin(message.origin)
        if message.url is not None:
            check_peer_url(message.url)
    except ScopeError as error:
        raise RefusedError(str(error), "origin") from error
    except InputError as error:
        raise RefusedError(str(error), "url") from error
    if message.origin == state.node_agent:
        raise ForbiddenError(f"{message.origin} is this node", "origin")


def _record_agreement(message: PeerAgreement, state: State, _has_proof: bool) -> None:
    state.peer_keys[message.origin] = _log_key_of(message)


def _add_agreement_rows(
    rows: Rows, message: PeerAgreement, entry: LogEntry, _state: State, _content: StoredContent
) -> None:
    row = _common(message, entry) | {
        "agreement_id": message.envelope.id,
        "issued_at": format_instant(message.envelope.time),
        "url": message.url,
        "log_key": message.log_key,
        "transport_key": message.transport_key.did_key if message.transport_key else None,
        "clearance": message.clearance.value,
        "entries_per_pull": message.quota.entries_per_pull,
        "bytes_per_day": message.quota.bytes_per_day,
        "suspended": message.suspended,
        "private_address": message.private_address or None,
    }
    rows.add("write_peers", row)


PEER_AGREEMENT = Kind(
    PeerAgreement,
    agent_member="issuingAgent",
    mutation=(
        "set_peer_agreement",
        "Agree with a peer on the content to exchange, signed by the node's key (a2ap:PeerAgreement).",
    ),
    node_only="makes agreements with peers",
    check=_check_agreement,
    record=_record_agreement,
    add_rows=_add_agreement_rows,
)


def _checkpoint_names(message: PeerCheckpoint, wanted: WantedNames) -> None:
    wanted.origins.add(message.origin)


def _check_checkpoint(message: PeerCheckpoint, state: State, _terms: Terms) -> None:
    if message.origin not in state.peer_keys:
        raise TargetError(f"there is no agreement with {message.origin}", "origin")
    try:
        checkpoint = read_checkpoint(read_note(message.checkpoint).text)
    except LogError as error:
        raise RefusedError(f"checkpoint is none: {error}", "checkpoint") from error
    if checkpoint.origin != message.origin:
        raise RefusedError(f"checkpoint is of {checkpoint.origin}, not of {message.origin}", "checkpoint")


def _add_checkpoint_rows(
    rows: Rows, message: PeerCheckpoint, entry: LogEntry, _state: State, _content: StoredContent
) -> None:
    checkpoint = read_checkpoint(read_note(message.checkpoint).text)
    row = _common(message, entry) | {
        "message_id": message.envelope.id,
        "issued_at": format_instant(message.envelope.time),
        "tree_size": checkpoint.tree_size,
        "root_hash": checkpoint.root_hash.hex(),
        "checkpoint": message.checkpoint,
    }
    rows.add("write_peer_checkpoints", row)


PEER_CHECKPOINT = Kind(
    PeerCheckpoint,
    agent_member="issuingAgent",
    mutation=(
        "record_peer_checkpoint",
        "Record a checkpoint that a peer's log has signed, signed by the node's key (a2ap:PeerCheckpoint).",
    ),
    node_only="records checkpoints of peers here",
    names=_checkpoint_names,
    check=_check_checkpoint,
    add_rows=_add_checkpoint_rows,
)


def _equivocation_names(message: Equivocation, wanted: WantedNames) -> None:
    wanted.origins.add(message.origin)


def _check_equivocation(message: Equivocation, state: State, _terms: Terms) -> None:
    keys = state.log_keys if message.origin == state.node_agent else None
    if keys is None and message.origin not in state.peer_keys:
        raise TargetError(f"the log of {message.origin} is not known here", "origin")
    try:
        if keys is None:
            keys = follow_successions(state.peer_keys[message.origin], message.successions)
        verify_equivocation(*message.checkpoints, keys, message.consistency_proof or ())
    except LogError as error:
        raise RefusedError(f"checkpoints show no equivocation of {message.origin}: {error}", "checkpoints") from error


def _add_equivocation_rows(
    rows: Rows, message: Equivocation, entry: LogEntry, _state: State, _content: StoredContent
) -> None:
    proof = message.consistency_proof or ()
    row = _common(message, entry) | {
        "equivocation_id": message.envelope.id,
        "reported_at": format_instant(message.envelope.time),
        "reporting_agent": message.envelope.agent_id,
        "checkpoints": list(message.checkpoints),
        "consistency_proof": [base64.b64encode(node).decode("ascii") for node in proof],
    }
    rows.add("write_equivocations", row)


EQUIVOCATION = Kind(
    Equivocation,
    agent_member="reportingAgent",
    mutation=("report_equivocation", "Report two checkpoints of a log that contradict each other (a2ap:Equivocation)."),
    names=_equivocation_names,
    check=_check_equivocation,
    add_rows=_add_equivocation_rows,
)


def _log_key_of(message: PeerAgreement) -> VerifierKey:
    """Return the key of the peer's log; raises `RefusedError` if it is not a key of that log."""
    try:
        key = VerifierKey.parse(message.log_key)
    except KeyFormatError as error:
        raise RefusedError(f"logKey is no verifier key: {error}", "logKey") from error
    if key.name != message.origin:
        raise RefusedError(f"logKey is that of {key.name}, not of {message.origin}", "logKey")
    return key


def _common(message: PeerAgreement | PeerCheckpoint | Equivocation, entry: LogEntry) -> Row:
    return {"origin": message.origin, "signed_hash": entry.signed_hash, "log_index": entry.log_index}
