"""Responses: receipts as JSON, and documents with their validators."""

import json
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from a2ap.canonical import sha256_digest
from a2ap.log.entry import entry_bytes
from a2ap.times import format_instant
from graph.log.entry import Receipt
from graph.transparency.log import Log

SAFE_HEADERS = {
    # The texts of agents must never run as a page of this origin.
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; sandbox",
}

NEGOTIATED_HEADERS = {"cache-control": "no-cache", "vary": "Accept, Authorization", **SAFE_HEADERS}
"""The headers of an answer at an address that may give a browser a page, and another reader another answer."""


async def receipt_members(receipt: Receipt, log: Log) -> dict[str, Any]:
    """Return a receipt as the API writes it, with the leaf of its entry and the proof that the log has it."""
    entry = receipt.entry
    proof = await log.proof_of(entry.log_index)
    return {
        "logIndex": entry.log_index,
        "id": entry.id,
        "type": entry.type,
        "signedHash": entry.signed_hash,
        "documentHash": entry.document_hash,
        "receivedAt": format_instant(entry.received_at),
        "entry": entry_bytes(entry).decode(),
        "proof": proof.text,
    }


def write_members(members: dict[str, Any]) -> bytes:
    """Return JSON on one line, in UTF-8."""
    return json.dumps(members, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def document_response(
    request: Request, content: bytes, media_type: str, headers: dict[str, str] | None = None
) -> Response:
    """Return a document with a strong `ETag`, or 304 if the client has it."""
    tag = f'"{sha256_digest(content)}"'
    sent = {
        "etag": tag,
        "vary": "Accept, Authorization",
        "cache-control": "no-cache",
        **SAFE_HEADERS,
        **(headers or {}),
    }
    if is_known(request, tag):
        return Response(status_code=304, headers=sent)
    return Response(content, media_type=media_type, headers=sent)


def is_known(request: Request, tag: str) -> bool:
    """Return whether `If-None-Match` names this tag (RFC 9110 §13.1.2: compared weakly)."""
    header = request.headers.get("if-none-match", "")
    known = [part.strip().removeprefix("W/") for part in header.split(",")]
    return tag in known or known == ["*"]
