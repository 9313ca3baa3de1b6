"""Identifiers: derived ones (A2AP Appendix A), the permitted forms of ids, and key references.

An id is an absolute IRI of at most 512 bytes, so that it can stand in RDF as it is and fits a database index.
Derived ids find the same thing again; they bind nothing (SHA-1, and no evidence in them): hashes do that.
"""

import hashlib
import re
import uuid

from a2ap.errors import StatementIdError

MAX_ID_BYTES = 512

# Appendix A prints it: the DNS namespace of RFC 9562.
_NAMESPACE = uuid.UUID("6ba7b810-9dad-11d1-80b4-00c04fd430c8")
# RFC 3987 leaves out spaces, controls, the delimiters of Turtle (`|` among them) and, in §4.1, controls of the
# direction of writing. `prov:` and `a2ap:` are prefixes of our context: a JSON-LD processor reads another IRI there.
_IRI = re.compile(
    r"(?!(?:a2ap|prov):(?!//))[A-Za-z][A-Za-z0-9+.-]*:"
    r"[^\s\x00-\x20\x7f-\xa0<>\"{}|\\^`\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufff0-\uffff]+"
)
_UUID = re.compile(r"urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-([1-8])[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
_HASH = re.compile(r"sha256:[0-9a-f]{64}")
_FREE_VERSIONS = ("4", "7")


def generate_statement_id(agent_id: str, claim: str) -> str:
    """Return the version-5 id of a statement, `urn:uuid:…` (A2AP Appendix A)."""
    return f"urn:uuid:{uuid.uuid5(_NAMESPACE, f'{agent_id}|{claim}')}"


def generate_chunk_id(doc_id: str, byte_offset: int) -> str:
    """Return the id of the chunk of a document that begins at a byte, `urn:chunk:…` (A2AP Appendix A)."""
    return f"urn:chunk:{uuid.uuid5(_NAMESPACE, f'{doc_id}|{byte_offset}')}"


def chunk_key(document: str, start: int, end: int) -> str:
    """Return the hexadecimal key of bytes `start` to `end` (half open) of a document, named by hash or id."""
    return hashlib.sha256(f"{document}|{start}|{end}".encode()).hexdigest()


def key_agent(reference: str) -> str | None:
    """Return the agent in a key reference `<agent>#<key>`; `None` for a bare `did:key` and for an alias."""
    agent, separator, _ = reference.partition("#")
    return agent if separator else None


def id_problem(value: str) -> str | None:
    """Say why `value` is not an id, an absolute IRI of at most 512 bytes; `None` if it is one."""
    if len(value) > MAX_ID_BYTES or (not value.isascii() and len(value.encode()) > MAX_ID_BYTES):
        return f"has more than {MAX_ID_BYTES} bytes"
    if _IRI.fullmatch(value) is None:
        return f"is {value!r}, not an absolute IRI"
    return None


def agent_id_problem(value: str) -> str | None:
    """Say why `value` cannot name an agent: an id without `|` (Appendix A joins with it) and `#`."""
    problem = id_problem(value)
    if "|" in value:
        return f"is {value[:MAX_ID_BYTES]!r}; an agent id has no |, which would make derived ids ambiguous"
    if problem is None and "#" in value:
        return f"is {value!r}; # is kept for the keys of an agent"
    return problem


def uuid_problem(value: str) -> str | None:
    """Say why `value` is not `urn:uuid:` and a UUID in lower case."""
    return None if _UUID.fullmatch(value) else f"is {value[:64]!r}, not urn:uuid: and a UUID in lower case"


def hash_problem(value: str) -> str | None:
    """Say why `value` is not `sha256:` and 64 hexadecimal digits in lower case."""
    return None if _HASH.fullmatch(value) else f"is {value[:80]!r}, not sha256: and 64 hexadecimal digits"


def is_free_uuid(value: str) -> bool:
    """Say whether an id is a UUID of version 4 or 7, which is derived from nothing."""
    match = _UUID.fullmatch(value)
    return match is not None and match[1] in _FREE_VERSIONS


def check_statement_id(statement_id: str, agent_id: str, claim: str, path: str = "@id") -> None:
    """Raise `StatementIdError` unless this agent may give a statement with this claim that id.

    A version-5 id must be the derived one (Appendix A); versions 4 and 7 are free, for revisions; no others.
    """
    match = _UUID.fullmatch(statement_id)
    if match is None:
        raise StatementIdError(path, str(uuid_problem(statement_id)))
    if match[1] in _FREE_VERSIONS:
        return
    if match[1] != "5":
        raise StatementIdError(path, f"is {statement_id}, a UUID of version {match[1]}, not of 4, 5 or 7")
    if "|" in agent_id:
        raise StatementIdError(path, f"is derived from the agent id {agent_id!r}, where | makes it ambiguous")
    derived = generate_statement_id(agent_id, claim)
    if statement_id != derived:
        raise StatementIdError(path, f"is {statement_id}; this agent and claim give {derived}")
