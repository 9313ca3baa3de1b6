"""The parts that a blocking agent and an asynchronous one share: settings, and the files beside the key."""

import mimetypes
import secrets
import uuid
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

import httpx

from a2ap.agent.identity import Description, Identity, create_identity, load_identity, read_environment
from a2ap.agent.known_logs import KnownLogs
from a2ap.agent.operations import Operations, Target
from a2ap.agent.outbox import Outbox
from a2ap.agent.quotes import Quote
from a2ap.client.answers import UnreachableError, what_happened
from a2ap.client.connection import is_loopback
from a2ap.log.signed_note import VerifierKey

DEFAULT_NODE = "http://127.0.0.1:8000"
"""The node of an agent that names none."""

MAX_FETCHED = 64 * 2**20
"""The most bytes of a source that an agent fetches from an address."""

Quotes = str | Quote | Sequence[str | Quote]
Targets = Target | Sequence[Target]

_SALT_BYTES = 16


def utc_now() -> datetime:
    """Return the time of day, to the second."""
    return datetime.now(UTC).replace(microsecond=0)


def fresh_id() -> str:
    """Return a random id for a message."""
    return uuid.uuid4().urn


class AgentBase:
    """An agent at a node: its identity, its operations, and the settings of its connection.

    `node` is the address of the node, and `token` a reader's token, which agents without clearance do not need.
    `outbox` and `known_logs` are files that the agent keeps between runs; without them it keeps nothing. `log_key`
    pins the verifier key of the node's log: `name+hash+key`.
    """

    def __init__(
        self,
        identity: Identity,
        node: str = DEFAULT_NODE,
        *,
        token: str | None = None,
        description: Description | None = None,
        outbox: Path | None = None,
        known_logs: Path | None = None,
        log_key: str | None = None,
        timeout: float = 120.0,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        self.id = identity.agent_id
        self.node = node.rstrip("/")
        self._settings: dict[str, Any] = {
            "base_url": self.node,
            "headers": {"authorization": f"Bearer {token}"} if token else {},
            "timeout": timeout,
            "trust_env": not is_loopback(node),
        }
        self._operations = Operations(
            identity,
            self.node,
            outbox=Outbox(outbox),
            known_logs=KnownLogs(known_logs),
            clock=clock,
            fresh_id=fresh_id,
            salt=lambda: secrets.token_bytes(_SALT_BYTES),
            description=description,
            log_key=None if log_key is None else VerifierKey.parse(log_key),
        )

    @classmethod
    def create(
        cls,
        key: str | Path,
        *,
        name: str,
        publisher: str,
        version: str = "1",
        capabilities: Sequence[str] = (),
        node: str = DEFAULT_NODE,
        **settings: Any,
    ) -> Self:
        """Make an agent with a new key in the file `key`; `register` then makes it known to the node.

        The outbox and the known logs are files beside the key. Raises `FileExistsError` rather than replace a key.
        """
        path = Path(key)
        identity = create_identity(path, name)
        description = Description(name, version, publisher, tuple(capabilities))
        return cls(identity, node, description=description, **(_files_beside(path) | settings))

    @classmethod
    def load(
        cls,
        key: str | Path,
        node: str = DEFAULT_NODE,
        *,
        passphrase: str | Callable[[], str] | None = None,
        **settings: Any,
    ) -> Self:
        """Return the agent of a key file; `passphrase` opens a key that is encrypted.

        Raises `KeyFormatError`, and `OSError` if there is no file.
        """
        path = Path(key)
        return cls(load_identity(path, passphrase), node, **(_files_beside(path) | settings))

    @classmethod
    def from_env(cls, **settings: Any) -> Self:
        """Return the agent of the environment: `A2AP_KEY`, `A2AP_KEY_PASSPHRASE`, `A2AP_URL` and `A2AP_TOKEN`.

        Raises `KeyFormatError`, and `OSError` if there is no file.
        """
        stated = read_environment()
        return cls.load(
            stated.key, stated.node or DEFAULT_NODE, passphrase=stated.passphrase, token=stated.token, **settings
        )


def _files_beside(key: Path) -> dict[str, Path]:
    return {"outbox": key.with_suffix(".outbox.ndjson"), "known_logs": key.with_suffix(".logs.json")}


def content_of(content: str | Path | bytes, title: str | None, media_type: str | None) -> tuple[bytes, str, str | None]:
    """Return the bytes, title and media type of a source; those of a file are its name's unless they are stated."""
    if isinstance(content, bytes):
        if title is None:
            raise ValueError("a source of bytes has a title")
        return content, title, media_type
    path = Path(content)
    return path.read_bytes(), title or path.name, media_type or mimetypes.guess_type(path.name)[0]


def quotes_of(quotes: Quotes) -> tuple[Quote, ...]:
    """Return one or more quotes as quotes."""
    stated = (quotes,) if isinstance(quotes, (str, Quote)) else quotes
    return tuple(Quote(one) if isinstance(one, str) else one for one in stated)


def targets_of(targets: Targets) -> tuple[Target, ...]:
    """Return one or more targets as a tuple."""
    if isinstance(targets, Sequence) and not isinstance(targets, str):
        return tuple(targets)
    return (targets,)


def media_type_of(response: httpx.Response) -> str | None:
    """Return the media type that a response states, without parameters."""
    return response.headers.get("content-type", "").partition(";")[0].strip() or None


def unreachable(url: str, error: Exception) -> UnreachableError:
    """Return the error for an address that does not answer."""
    return UnreachableError(f"{url} does not answer: {what_happened(error)}")
