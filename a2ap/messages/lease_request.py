"""Lease requests: a verifier asks its platform for verification requests that it will answer.

A lease request is signed like a message but is not one: it is not logged, not given out, and valid for a few
minutes. So it is not among the types of `a2ap.messages.message`; a platform takes each id once. It names the node that
it is for, so that another node that sees it cannot pass it on.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from a2ap.canonical import sha256_digest
from a2ap.errors import FieldError, TypeNameError
from a2ap.fields import check_distinct, read_agent_id, read_integer, read_texts, read_uuid, shown
from a2ap.identifiers import is_free_uuid, uuid_problem
from a2ap.json_text import read_json
from a2ap.messages.context import check_context, check_version
from a2ap.messages.verification_request import read_criteria
from a2ap.signing.signature import Signature, read_signature, signed_bytes
from a2ap.times import format_instant, parse_instant
from contexts import A2AP_CONTEXT_URL

LEASE_REQUEST_TYPE = "a2ap:LeaseRequest"
MAX_LEASES = 100
MIN_SECONDS = 10
MAX_SECONDS = 3600

_NOT_COVERED = ("proof", "verificationStatus", "disclosures")


@dataclass(frozen=True, slots=True)
class LeaseRequest:
    """An agent's request for up to `most` verification requests that name any of the criteria, each for `seconds`.

    `audience` is the agent of the node that receives it. `renews` are leases that the agent holds already and extends
    by `seconds`.
    """

    id: str
    time: datetime
    agent_id: str
    audience: str
    criteria: tuple[str, ...]
    most: int
    seconds: int
    renews: tuple[str, ...]
    signature: Signature
    signed_bytes: bytes
    signed_hash: str


def read_lease_request(data: bytes) -> LeaseRequest:
    """Read a lease request out of the bytes of a document; raises only `MessageError`."""
    document = read_json(data)
    check_version(document)
    if document.get("@type") != LEASE_REQUEST_TYPE:
        raise TypeNameError("@type", f"is {shown(document.get('@type'))}, not {LEASE_REQUEST_TYPE}")
    check_context(document)
    for name in _NOT_COVERED:
        if name in document:
            raise FieldError(name, "is there, and the signature of a lease request does not cover it")
    if "requestedAt" not in document:
        raise FieldError("requestedAt", "is missing")
    if "signature" not in document:
        raise FieldError("signature", "is missing")
    covered = signed_bytes(document)
    return LeaseRequest(
        id=_read_id(document),
        time=parse_instant(document["requestedAt"], "requestedAt"),
        agent_id=read_agent_id(document, "leasingAgent"),
        audience=read_agent_id(document, "audience"),
        criteria=read_criteria(document, "criteria"),
        most=read_integer(document, "most", least=1, most=MAX_LEASES),
        seconds=read_integer(document, "seconds", least=MIN_SECONDS, most=MAX_SECONDS),
        renews=_read_renewed(document),
        signature=read_signature(document["signature"]),
        signed_bytes=covered,
        signed_hash=sha256_digest(covered),
    )


def build_lease_request(
    *,
    lease_request_id: str,
    requested_at: datetime,
    leasing_agent: str,
    audience: str,
    criteria: Sequence[str],
    most: int = 1,
    seconds: int = 300,
    renews: Sequence[str] = (),
) -> dict[str, Any]:
    """Return an unsigned lease request; its id is a fresh `urn:uuid:` of version 4 or 7."""
    message: dict[str, Any] = {
        "@context": A2AP_CONTEXT_URL,
        "@type": LEASE_REQUEST_TYPE,
        "@id": lease_request_id,
        "requestedAt": format_instant(requested_at),
        "leasingAgent": leasing_agent,
        "audience": audience,
        "criteria": list(criteria),
        "most": most,
        "seconds": seconds,
    }
    return {**message, "renews": list(renews)} if renews else message


def _read_id(document: Mapping[str, Any]) -> str:
    identifier = read_uuid(document, "@id")
    if not is_free_uuid(identifier):
        raise FieldError("@id", f"is {identifier}; the UUID of a lease request has version 4 or 7")
    return identifier


def _read_renewed(document: Mapping[str, Any]) -> tuple[str, ...]:
    if "renews" not in document:
        return ()
    renewed = read_texts(document, "renews")
    for index, lease in enumerate(renewed):
        if problem := uuid_problem(lease):
            raise FieldError(f"renews[{index}]", problem)
    if len(renewed) > MAX_LEASES:
        raise FieldError("renews", f"has {len(renewed)} items, more than {MAX_LEASES}")
    check_distinct(renewed, "renews")
    return renewed
