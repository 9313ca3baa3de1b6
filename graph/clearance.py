"""Clearance of readers: the bearer token selects a boundary class, and no text above it leaves (docs/decisions/0041).

Every endpoint checks here. Rules:

- A reader without a token is cleared for `public`, the operator for everything, and any other token for the class that
  the file of reader tokens states. An unknown token is refused, not treated as none. A token has 16 characters or more,
  and the file of tokens is readable by its owner alone.
- A peer that signs its requests with the transport key of an agreement is cleared for the class agreed
  (`graph.federation.peer_reader`), and is never the operator.
- A document has the boundary class that its registration states. An unregistered document has the strictest class of
  the documents registered under its URN (docs/decisions/0043), and is public if there are none.
- A reader may grant the use of handed-out context for drafts, the operator for anything: the classes and the uses are
  the two ladders of Context Packets (`a2ap.boundary`).
- A verdict may quote the passages that its statement cites, so its text has the class of the strictest document that
  the statement cites.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path

from a2ap.boundary import Boundary, Use, UseTerms
from a2ap.durable_files import is_private
from a2ap.signing.keys import PublicKey
from graph.errors import ForbiddenError, InputError, UnauthenticatedError
from graph.settings import Settings, SettingsError

MIN_TOKEN = 16
"""The fewest characters of a token."""

_SCHEME = "bearer "


@dataclass(frozen=True, slots=True)
class Reader:
    """A reader of this node: the highest boundary class that they may read, and whether they are the operator.

    `peer_key` is the key with which a peer has signed the request, `token` the digest of any other reader's token: the
    clearance that either gives may have changed by the next event.
    """

    clearance: Boundary = Boundary.PUBLIC
    operator: bool = False
    peer_key: PublicKey | None = field(default=None, compare=False)
    token: bytes | None = field(default=None, compare=False, repr=False)

    def may_read(self, boundary: Boundary) -> bool:
        """Return whether this reader may see text of a document of that class."""
        return self.clearance.covers(boundary)

    def reason_withheld(self, boundary: Boundary) -> str | None:
        """Return the reason for which text of that class is withheld from this reader, None if it is not withheld."""
        if self.may_read(boundary):
            return None
        return f"the source is {boundary}, and this reader is cleared for {self.clearance}"

    def check(self, boundary: Boundary, what: str) -> None:
        """Raise `ForbiddenError` if this reader may not see text of that class; the message names the text."""
        reason = self.reason_withheld(boundary)
        if reason is not None:
            raise ForbiddenError(f"{what}: {reason}")

    @property
    def terms(self) -> UseTerms:
        """Return the uses of handed-out context that this reader may grant."""
        return UseTerms.up_to(max(Use, key=lambda use: use.rank) if self.operator else Use.DRAFT_ONLY)

    def check_grant(self, use: Use, what: str) -> None:
        """Raise `ForbiddenError` if this reader may not grant that use; the message names the object of the use."""
        if not self.terms.permits(use):
            raise ForbiddenError(f"{what}: this reader grants uses up to {self.terms.highest}, not {use}")

    @property
    def readable(self) -> tuple[str, ...]:
        """Return the names of the boundary classes that this reader may see."""
        return tuple(boundary.value for boundary in Boundary if self.may_read(boundary))


ANONYMOUS = Reader()
OPERATOR = Reader(max(Boundary, key=lambda boundary: boundary.rank), operator=True)


@dataclass(frozen=True, slots=True)
class Readers:
    """The readers that have a token, by the SHA-256 of the token: the time of a look-up reveals nothing of a token."""

    by_digest: Mapping[bytes, Reader] = field(repr=False)

    @classmethod
    def from_settings(cls, settings: Settings) -> "Readers":
        """Return the readers that the settings name. Raises SettingsError for an unusable file of tokens."""
        tokens = _read_tokens(settings.reader_tokens) if settings.reader_tokens is not None else {}
        by_digest = {_digest(token): Reader(boundary) for token, boundary in tokens.items()}
        if settings.operator_token is not None:
            check_operator_token(settings.operator_token, "it")
            by_digest[_digest(settings.operator_token.strip())] = OPERATOR
        return cls({digest: replace(reader, token=digest) for digest, reader in by_digest.items()})

    def find(self, authorization: str | None) -> Reader:
        """Return the reader of an `Authorization` header; raise `UnauthenticatedError` for an unknown token."""
        if not authorization:
            return ANONYMOUS
        return self.with_digest(_digest(token_in(authorization)))

    def with_digest(self, digest: bytes) -> Reader:
        """Return the reader whose token has this digest; raise `UnauthenticatedError` if there is none."""
        if digest not in self.by_digest:
            raise UnauthenticatedError("the token is not one that this node has given out")
        return self.by_digest[digest]


def token_in(authorization: str) -> str:
    """Return the token of an `Authorization` header; raise `UnauthenticatedError` if there is none."""
    if not authorization.lower().startswith(_SCHEME):
        raise UnauthenticatedError("the Authorization header is not `Bearer` and a token")
    token = authorization[len(_SCHEME) :].strip()
    if not token:
        raise UnauthenticatedError("the Authorization header has no token")
    return token


def check_operator_token(token: str, where: str) -> None:
    """Raise SettingsError if the operator's token, which is in `where`, is too short."""
    if len(token.strip()) < MIN_TOKEN:
        raise SettingsError(f"A2AP_OPERATOR_TOKEN: {where} has fewer than {MIN_TOKEN} characters")


def boundary_of(stated: str | None, others: Iterable[str] = ()) -> Boundary:
    """Return the class of a document: the stated one, else the strictest of `others`, else public."""
    if stated is not None:
        return Boundary(stated)
    return max((Boundary(other) for other in others), key=lambda boundary: boundary.rank, default=Boundary.PUBLIC)


def parse_boundary(stated: str) -> Boundary:
    """Return the class of that name. Raises `InputError`."""
    try:
        return Boundary(stated)
    except ValueError as error:
        known = ", ".join(boundary.value for boundary in Boundary)
        raise InputError(f"{stated[:80]!r} is none of the classes {known}", "boundary") from error


def _read_tokens(path: Path) -> dict[str, Boundary]:
    try:
        if not is_private(path):
            raise SettingsError(f"A2AP_READER_TOKENS: others can read {path}; chmod 600 it")
        tokens = json.loads(path.read_text(encoding="utf-8"))
        return {token: Boundary(boundary) for token, boundary in tokens.items() if _check_token(token)}
    except SettingsError:
        raise
    except (OSError, ValueError, AttributeError, TypeError) as error:
        # The cause is not shown: it may quote the file.
        raise SettingsError(
            f"A2AP_READER_TOKENS: {path} is not a readable JSON object of tokens and classes"
        ) from error


def _check_token(token: str) -> bool:
    if len(token.strip()) < MIN_TOKEN:
        raise ValueError(f"a token has fewer than {MIN_TOKEN} characters")
    return True


def _digest(token: str) -> bytes:
    return sha256(token.encode("utf-8", "surrogateescape")).digest()
