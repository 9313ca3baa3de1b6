"""What a reader sees: the bearer token names a clearance, and no quote or text above it leaves (docs/decisions/0040).

Every door asks here. Rules:

- Without a token a reader is cleared for `public`; with the operator's, for everything; with any other, for what the
  file of reader tokens says. A token that is in none of these is refused, not read as none. A token has 16
  characters or more, and the file of tokens is readable by its owner alone.
- A peer that signs its requests with the transport key of an agreement is cleared for the class agreed
  (`graph.federation.peer_reader`), and is never the operator.
- A document has the boundary class that its registration states. One that nobody registered has the class of its
  URN where others are registered under that name (docs/decisions/0281), and is public otherwise.
- What a reader has handed out may be used for drafts, and the operator's for anything: the classes and the uses are the
  two ladders of Context Packets (`a2ap.boundary`).
- What a verifier writes about a statement may quote what the statement cites, so it has the class of the strictest
  document that the statement cites.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path

from a2ap.boundary import Boundary, Use, UseTerms
from a2ap.keys import PublicKey
from graph.errors import ForbiddenError, UnauthenticatedError
from graph.settings import Settings, SettingsError

MIN_TOKEN = 16
"""The fewest characters of a token."""

_SCHEME = "bearer "


@dataclass(frozen=True, slots=True)
class Reader:
    """Who asks: the highest boundary class that they may read, and whether they are the operator.

    `peer_key` is what a peer has signed with, `token` the digest of the token that any other reader has brought: what
    either gives may be another thing by the next event.
    """

    clearance: Boundary = Boundary.PUBLIC
    operator: bool = False
    peer_key: PublicKey | None = field(default=None, compare=False)
    token: bytes | None = field(default=None, compare=False, repr=False)

    def may_read(self, boundary: Boundary) -> bool:
        """Say whether this reader may see text of a document of that class."""
        return self.clearance.covers(boundary)

    def reason_withheld(self, boundary: Boundary) -> str | None:
        """Return why text of that class is withheld from this reader, None where it is not."""
        if self.may_read(boundary):
            return None
        return f"the source is {boundary}, and this reader is cleared for {self.clearance}"

    def check(self, boundary: Boundary, what: str) -> None:
        """Raise `ForbiddenError` where this reader may not see `what`, which is of that class."""
        reason = self.reason_withheld(boundary)
        if reason is not None:
            raise ForbiddenError(f"{what}: {reason}")

    @property
    def terms(self) -> UseTerms:
        """Return the uses that this reader may grant to those whom it has context handed out to."""
        return UseTerms.up_to(max(Use, key=lambda use: use.rank) if self.operator else Use.DRAFT_ONLY)

    def check_grant(self, use: Use, what: str) -> None:
        """Raise `ForbiddenError` where this reader may not grant a use of `what`."""
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
    """The readers that have a token, by the SHA-256 of the token: how long a look-up takes says nothing of a token."""

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
        """Return whoever the `Authorization` header names; raise `UnauthenticatedError` for an unknown token."""
        if not authorization:
            return ANONYMOUS
        return self.with_digest(_digest(token_in(authorization)))

    def with_digest(self, digest: bytes) -> Reader:
        """Return whose token has this digest; raise `UnauthenticatedError` where it is nobody's."""
        if digest not in self.by_digest:
            raise UnauthenticatedError("the token is not one that this node has given out")
        return self.by_digest[digest]


def token_in(authorization: str) -> str:
    """Return the token of an `Authorization` header; raise `UnauthenticatedError` where there is none."""
    if not authorization.lower().startswith(_SCHEME):
        raise UnauthenticatedError("the Authorization header is not `Bearer` and a token")
    token = authorization[len(_SCHEME) :].strip()
    if not token:
        raise UnauthenticatedError("the Authorization header has no token")
    return token


def check_operator_token(token: str, where: str) -> None:
    """Raise SettingsError where the operator's token, which is in `where`, is too short to be one."""
    if len(token.strip()) < MIN_TOKEN:
        raise SettingsError(f"A2AP_OPERATOR_TOKEN: {where} has fewer than {MIN_TOKEN} characters")


def boundary_of(stated: str | None, others: Iterable[str] = ()) -> Boundary:
    """Return the class of a document: the stated one, else the strictest of the same name's, else public."""
    if stated is not None:
        return Boundary(stated)
    return max((Boundary(other) for other in others), key=lambda boundary: boundary.rank, default=Boundary.PUBLIC)


def _read_tokens(path: Path) -> dict[str, Boundary]:
    try:
        if path.stat().st_mode & 0o077:
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
