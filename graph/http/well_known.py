"""The public facts about this node: `/.well-known/a2ap`, and its DID document for `did:web`."""

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from a2ap.signing.did_document import ASSERTION_METHOD, AUTHENTICATION, VerificationMethod, build_did_document
from graph.errors import NotAcceptableError, NotFoundError
from graph.http.accept import choose_type
from graph.http.answers import document_response, write_members
from graph.http.requests import PlatformOf
from graph.node_description import (
    CONTEXTS,
    CRYPTOSUITES,
    DOORS,
    MESSAGE_TYPES,
    PROTOCOL_VERSIONS,
    SOFTWARE,
    NodeDescription,
    describe_node,
)
from graph.store import Row

# DID Core §6: a document with a context is JSON-LD; without looking at that it is the same JSON.
_DID_TYPES = ("application/did+ld+json", "application/did+json", "application/ld+json", "application/json")

router = APIRouter(tags=["node"])


@router.head("/.well-known/a2ap", include_in_schema=False)
@router.get("/.well-known/a2ap", operation_id="describe_node")
async def get_description(request: Request, platform: PlatformOf) -> Response:
    """Give the versions, policies, keys, limits and endpoints of this node."""
    members = description_members(await describe_node(platform))
    return document_response(request, write_members(members), "application/json")


# The did:web of an address with a path resolves to <path>/did.json, of one without to the other.
@router.head("/did.json", include_in_schema=False)
@router.get("/did.json", include_in_schema=False)
@router.head("/.well-known/did.json", include_in_schema=False)
@router.get("/.well-known/did.json", operation_id="get_did_document")
async def get_did_document(request: Request, platform: PlatformOf) -> Response:
    """Give the DID document of this node (did:web); 404 if it has not been told an https address of its own."""
    described = await describe_node(platform)
    media_type = choose_type(request.headers.get("accept"), _DID_TYPES)
    if media_type is None:
        raise NotAcceptableError(f"none of {', '.join(_DID_TYPES)} is accepted", "Accept")
    return document_response(request, write_members(did_document(described)), media_type)


def description_members(described: NodeDescription) -> dict[str, Any]:
    """Return a node's description of itself as it stands in `/.well-known/a2ap`."""
    log = described.log
    return {
        "node": described.agent_id,
        "did": described.did,
        "url": described.url,
        "software": {"name": SOFTWARE[0], "version": SOFTWARE[1]},
        "protocolVersions": list(PROTOCOL_VERSIONS),
        "contexts": list(CONTEXTS),
        "messageTypes": list(MESSAGE_TYPES),
        "cryptosuites": list(CRYPTOSUITES),
        "agentKey": described.agent_key.did_key,
        "transportKey": described.transport_key.did_key,
        "logKey": log.keys[-1],
        "logKeys": list(log.keys),
        "logKeySuccessions": list(log.successions),
        "log": {"origin": log.origin, "size": log.size, "monitoring": DOORS["log"]},
        "consensusPolicy": _consensus_members(described.consensus_policy),
        "admissionPolicy": _admission_members(described),
        "limits": dict(described.limits),
        "doors": dict(DOORS),
    }


def did_document(described: NodeDescription) -> dict[str, Any]:
    """Return the DID document of a node: its agent key, its log key and its transport key, each with its purpose.

    Raises `NotFoundError` if the node has no `did:web`.
    """
    url = described.url
    if url is None:
        raise NotFoundError("this node has not been told its address (A2AP_PUBLIC_URL), and believes no Host header")
    did = described.did
    if did is None:
        raise NotFoundError(f"{url} has no did:web, which needs https and the name of a host")
    methods = [
        VerificationMethod("agent", described.agent_key, (ASSERTION_METHOD,)),
        VerificationMethod("log", described.log_key, (ASSERTION_METHOD,)),
        VerificationMethod("transport", described.transport_key, (AUTHENTICATION,)),
    ]
    return build_did_document(
        did,
        methods,
        also_known_as=[described.agent_id, described.agent_key.did_key],
        services={
            "a2ap": ("A2APNode", f"{url}/.well-known/a2ap"),
            "graphql": ("GraphQL", f"{url}{DOORS['graphql']}"),
            "transparency-log": ("TransparencyLog", f"{url}{DOORS['log']}"),
        },
    )


def _consensus_members(row: Row | None) -> dict[str, Any] | None:
    if row is None:
        return None
    return {
        "id": row["policy_id"],
        "signedHash": row["signed_hash"],
        "logIndex": row["log_index"],
        "method": row["method"],
        "threshold": row["threshold"],
        "quorum": row["quorum"],
        "criteria": list(row["criteria"]),
        "seeds": list(row["seeds"]),
        "unseededWeight": row["unseeded_weight"],
    }


def _admission_members(described: NodeDescription) -> dict[str, Any]:
    row = described.admission_policy
    if row is None:
        return {"mode": described.admission_mode}
    return {
        "id": row["policy_id"],
        "signedHash": row["signed_hash"],
        "logIndex": row["log_index"],
        "mode": described.admission_mode,
    }
