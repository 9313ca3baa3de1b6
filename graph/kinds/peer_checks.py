"""The conditions for accepting a message about a peer, given the agreements with peers: pure checks, no I/O."""

from urllib.parse import urlsplit

from a2ap.errors import KeyFormatError, LogError, ScopeError
from a2ap.log.checkpoint import read_checkpoint
from a2ap.log.equivocation import verify_equivocation
from a2ap.log.log_key import follow_successions
from a2ap.log.signed_note import VerifierKey, read_note
from a2ap.messages.equivocation import Equivocation
from a2ap.messages.peer_agreement import PeerAgreement
from a2ap.messages.peer_checkpoint import PeerCheckpoint
from a2ap.messages.scoping import check_origin
from graph.errors import ForbiddenError, InputError, RefusedError, TargetError
from graph.kinds.state import State

MAX_URL = 512


def check_peer_message(message: PeerAgreement | PeerCheckpoint | Equivocation, state: State) -> None:
    """Raise if a message about a peer, whose signature holds, cannot be accepted."""
    match message:
        case PeerAgreement():
            _check_agreement(message, state)
        case PeerCheckpoint():
            _check_checkpoint(message, state)
        case Equivocation():
            _check_equivocation(message, state)


def log_key_of(message: PeerAgreement) -> VerifierKey:
    """Return the key of the peer's log; raises `RefusedError` if it is not a key of that log."""
    try:
        key = VerifierKey.parse(message.log_key)
    except KeyFormatError as error:
        raise RefusedError(f"logKey is no verifier key: {error}", "logKey") from error
    if key.name != message.origin:
        raise RefusedError(f"logKey is that of {key.name}, not of {message.origin}", "logKey")
    return key


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


def _check_agreement(message: PeerAgreement, state: State) -> None:
    log_key_of(message)
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


def _check_checkpoint(message: PeerCheckpoint, state: State) -> None:
    if message.origin not in state.peer_keys:
        raise TargetError(f"there is no agreement with {message.origin}", "origin")
    try:
        checkpoint = read_checkpoint(read_note(message.checkpoint).text)
    except LogError as error:
        raise RefusedError(f"checkpoint is none: {error}", "checkpoint") from error
    if checkpoint.origin != message.origin:
        raise RefusedError(f"checkpoint is of {checkpoint.origin}, not of {message.origin}", "checkpoint")


def _check_equivocation(message: Equivocation, state: State) -> None:
    keys = state.log_keys if message.origin == state.node_agent else None
    if keys is None and message.origin not in state.peer_keys:
        raise TargetError(f"the log of {message.origin} is not known here", "origin")
    try:
        if keys is None:
            keys = follow_successions(state.peer_keys[message.origin], message.successions)
        verify_equivocation(*message.checkpoints, keys, message.consistency_proof or ())
    except LogError as error:
        raise RefusedError(f"checkpoints show no equivocation of {message.origin}: {error}", "checkpoints") from error
