"""The parts that a blocking agent and an asynchronous one share: settings, and the files beside the key."""

import mimetypes
import secrets
import uuid
import warnings
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, Self, TypedDict, Unpack
from urllib.parse import unquote, urlsplit

import httpx

from a2ap.agent.content import Content, FileContent, read_content
from a2ap.agent.identity import Description, Identity, create_identity, load_identity, read_environment
from a2ap.agent.kept_packs import KeptPacks
from a2ap.agent.known_logs import KnownLogs
from a2ap.agent.operations import Operations
from a2ap.agent.outbox import Outbox
from a2ap.agent.runs import RunWarning
from a2ap.boundary import Boundary
from a2ap.client.answers import UnreachableError, public_address, what_happened
from a2ap.client.connection import is_loopback
from a2ap.errors import A2APError
from a2ap.log.signed_note import VerifierKey
from a2ap.pack.packing import Pack

DEFAULT_NODE = "http://127.0.0.1:8000"
"""The node of an agent that names none."""

MAX_FETCHED = 2**30
"""The most bytes of a source that an agent fetches from an address."""

_SALT_BYTES = 16
_TIMEOUT = 120.0  # seconds


def utc_now() -> datetime:
    """Return the time of day, to the second."""
    return datetime.now(UTC).replace(microsecond=0)


def fresh_id() -> str:
    """Return a random id for a message."""
    return uuid.uuid4().urn


class Settings(TypedDict, total=False):
    """The settings of an agent's connection and files.

    `token` is a reader's token, which agents without clearance do not need. `outbox` and `known_logs` are the files
    that the agent keeps between runs. `log_key` pins the verifier key of the node's log: `name+hash+key`. `timeout` is
    in seconds for each request. `description` is that of a new agent, and `clock` gives the time.
    """

    token: str | None
    description: Description | None
    outbox: Path | None
    known_logs: Path | None
    log_key: str | None
    timeout: float
    clock: Callable[[], datetime]


class AgentBase:
    """An agent at a node: its identity, its operations, and the settings of its connection.

    `node` is the address of the node. Without the files of `settings` the agent keeps nothing between runs. `last_pack`
    is the hash of the pack of the last function that `provenance` recorded.
    """

    def __init__(self, identity: Identity, node: str = DEFAULT_NODE, **settings: Unpack[Settings]) -> None:
        self.id = identity.agent_id
        self.last_pack: str | None = None
        self.node = node.rstrip("/")
        check_address(self.node)
        token = settings.get("token")
        if token is not None and not (token.isascii() and token.isprintable()):
            raise ValueError("the token has other characters than visible ASCII")
        self._connection: dict[str, Any] = {
            "base_url": self.node,
            "headers": {"authorization": f"Bearer {token}"} if token else {},
            "timeout": settings.get("timeout", _TIMEOUT),
            "trust_env": not is_loopback(node),
        }
        log_key = settings.get("log_key")
        outbox = settings.get("outbox")
        self._clock = settings.get("clock", utc_now)
        self._operations = Operations(
            identity,
            public_address(self.node),
            outbox=Outbox(outbox),
            packs=KeptPacks(None if outbox is None else outbox.with_name(f"{outbox.name}.packs")),
            known_logs=KnownLogs(settings.get("known_logs")),
            clock=self._clock,
            fresh_id=fresh_id,
            salt=lambda: secrets.token_bytes(_SALT_BYTES),
            description=settings.get("description"),
            log_key=None if log_key is None else VerifierKey.parse(log_key),
        )

    def _keep(self, pack: Pack, boundary: Boundary) -> None:
        """Keep the pack of a run that was stopped, for `flush`."""
        self.last_pack = pack.hash
        try:
            self._operations.keep(pack, boundary)
        except (A2APError, OSError) as error:
            warnings.warn(f"the pack {pack.hash} is not kept: {error}", RunWarning, stacklevel=3)

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
        **settings: Unpack[Settings],
    ) -> Self:
        """Make an agent with a new key in the file `key`; `register` then makes it known to the node.

        The outbox and the known logs are files beside the key: `clerk.key.outbox.ndjson`, `clerk.key.logs.json`. Raises
        `FileExistsError` rather than replace a key.
        """
        check_address(node)
        path = Path(key)
        identity = create_identity(path, name)
        settings["description"] = Description(name, version, publisher, tuple(capabilities))
        return cls(identity, node, **_with_files(path, settings))

    @classmethod
    def load(
        cls,
        key: str | Path,
        node: str = DEFAULT_NODE,
        *,
        passphrase: str | Callable[[], str] | None = None,
        transport: Any = None,
        **settings: Unpack[Settings],
    ) -> Self:
        """Return the agent of a key file; `passphrase` opens a key that is encrypted.

        `transport` is a transport of httpx in the place of the usual one. Raises `KeyFormatError`, and `OSError` if
        there is no file.
        """
        path = Path(key)
        identity = load_identity(path, passphrase)
        more = {} if transport is None else {"transport": transport}
        return cls(identity, node, **_with_files(path, settings), **more)

    @classmethod
    def from_env(cls, node: str | None = None, **settings: Unpack[Settings]) -> Self:
        """Return the agent of the environment: `A2AP_KEY`, `A2AP_KEY_PASSPHRASE`, `A2AP_URL` and `A2AP_TOKEN`.

        An argument precedes the environment. Raises `KeyFormatError`, and `OSError` if there is no file.
        """
        stated = read_environment()
        settings.setdefault("token", stated.token)
        return cls.load(stated.key, node or stated.node or DEFAULT_NODE, passphrase=stated.passphrase, **settings)


def _with_files(key: Path, settings: Settings) -> Settings:
    """Return settings with the files beside a key, for those that are not stated."""
    files: Settings = {
        "outbox": key.with_name(f"{key.name}.outbox.ndjson"),
        "known_logs": key.with_name(f"{key.name}.logs.json"),
    }
    return {**files, **settings}


def check_address(node: str) -> None:
    """Raise `ValueError` for an address of a node that is none."""
    try:
        parts = urlsplit(node)
        is_address = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        is_address = False
    if not is_address:
        raise ValueError(f"node is {node!r}, not an http or https address")


def content_of(
    stated: Path | IO[bytes] | Content, title: str | None, media_type: str | None
) -> tuple[Content, str, str | None]:
    """Return the bytes, title and media type of a source; those of a file are its name's unless they are stated."""
    name = stated if isinstance(stated, Path) else getattr(stated, "name", None)
    path = Path(name) if isinstance(name, (str, Path)) else None
    if title is None and path is None:
        raise ValueError("a source of bytes has a title")
    content = stated if isinstance(stated, (bytes, FileContent)) else read_content(stated)
    guess, encoding = (None, None) if path is None else mimetypes.guess_type(path.name)
    found = title or (path.name if path is not None else "")
    return content, found, media_type or (guess if encoding is None else None)


def is_url(content: object) -> bool:
    """Say whether the content of a source is stated as an address of http or https."""
    return isinstance(content, str) and content.lower().startswith(("http://", "https://"))


def name_at(url: str) -> str:
    """Return the name of the file at an address, or the address's host."""
    parts = urlsplit(url)
    return unquote(parts.path.rstrip("/").rpartition("/")[2]) or parts.hostname or url


def media_type_of(response: httpx.Response) -> str | None:
    """Return the media type that a response states, without parameters."""
    return response.headers.get("content-type", "").partition(";")[0].strip() or None


def unreachable(url: str, error: Exception) -> UnreachableError:
    """Return the error for an address that does not answer."""
    return UnreachableError(f"{public_address(url)} does not answer: {what_happened(error)}")
