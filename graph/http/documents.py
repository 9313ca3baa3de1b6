"""GET of received documents: the bytes as received, JSON-LD with a statement's verification status, Turtle or N-Quads.

Text that a reader may not see is left out of Turtle, and out of JSON-LD if the signature allows it. If it does not, the
response is 403; so it is for the bytes as received, which stay whole or are not given. N-Quads are the expansion of
that JSON-LD by pyld, with the triples that follow from it (`a2ap.rdf.expansion`): they show whether Turtle agrees.
"""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from a2ap.json_text import write_json
from a2ap.messages.message import MessageType, read_message
from a2ap.messages.verification_response import VerificationResponse
from a2ap.messages.verification_status import VerificationStatus, fill_verification_status
from a2ap.rdf.expansion import expanded_triples
from a2ap.rdf.ntriples import write_ntriples
from a2ap.rdf.provenance import triples
from a2ap.rdf.rdflib_graph import serialize_turtle, to_graph
from a2ap.rdf.triples import Triple
from graph.clearance import Reader
from graph.errors import ForbiddenError, NotAcceptableError, NotFoundError, RedactedError, RefusedError
from graph.export.documents import StoredMessage
from graph.export.redaction import is_whole, redacted_document, redacted_message
from graph.export.taken_back import taken_back_triples
from graph.http.accept import choose_type
from graph.http.answers import document_response
from graph.http.requests import PlatformOf, ReaderOf
from graph.log.entry import entry_from_row
from graph.log.imported import as_named_here
from graph.platform import Platform
from graph.retention.standing import read_standing
from graph.scoring.statuses import statuses_of
from graph.store import Row, Store
from graph.withholding import Withholding

RECEIVED, LINKED, TURTLE, NQUADS = "application/json", "application/ld+json", "text/turtle", "application/n-quads"

router = APIRouter(tags=["documents"])


@router.head("/statements/{name}", include_in_schema=False)
@router.get("/statements/{name}", operation_id="get_statement")
async def get_statement(name: str, request: Request, platform: PlatformOf, reader: ReaderOf) -> Response:
    """Give a statement by its id or its signed hash.

    `application/json` is the document as received, byte for byte; `application/ld+json` has `verificationStatus` filled
    in, under which the signature still holds; `text/turtle` is its PROV-O, with its retraction and its author's
    revisions, which other messages state; `application/n-quads` is the expansion of the JSON-LD alone. Of several
    statements with one id the first in the log is given, and the others are linked as alternates.
    """
    entries = await _entries(platform.store, name, MessageType.STATEMENT)
    stored = await _stored(platform, entries[0], entries[0]["signed_hash"], reader)
    links = [f'</statements/{entry["signed_hash"]}>; rel="alternate"' for entry in entries[1:]]
    headers = {"link": ", ".join(links)} if links else {}
    media_type, status, more = _choose(request), None, []
    if media_type == LINKED:
        name = stored.entry.signed_hash
        status = (await statuses_of(platform.store, [name]))[name]
    if media_type == TURTLE:
        more = await taken_back_triples(platform.store, stored.entry, withheld=stored.withheld is not None)
    return await _answer(request, stored, media_type, headers, status=status, more=more)


@router.head("/verifications/{name}", include_in_schema=False)
@router.get("/verifications/{name}", operation_id="get_verification")
async def get_verification(name: str, request: Request, platform: PlatformOf, reader: ReaderOf) -> Response:
    """Give a verification by its id or its signed hash, in the forms of a statement."""
    entries = await _entries(platform.store, name, MessageType.VERIFICATION_RESPONSE)
    (row,) = await platform.store.read("verifications_by_hash", hashes=[entries[0]["signed_hash"]])
    return await _answer(request, await _stored(platform, entries[0], row["statement"], reader), _choose(request))


@router.head("/agents/{name:path}", include_in_schema=False)
@router.get("/agents/{name:path}", operation_id="get_agent")
async def get_agent(name: str, request: Request, platform: PlatformOf, reader: ReaderOf) -> Response:
    """Give the registration of an agent, by the agent's id, in the forms of a statement."""
    agents = await platform.store.read("agents_known", ids=[name])
    if not agents:
        raise NotFoundError(f"no agent {name} is registered")
    entries = await _entries(platform.store, agents[0]["registration_hash"], MessageType.AGENT_REGISTRATION)
    return await _answer(request, await _stored(platform, entries[0], None, reader), _choose(request))


async def _entries(store: Store, name: str, message_type: MessageType) -> Sequence[Row]:
    """Return the log entries of the messages of this id or hash, the first in the log first."""
    if name.startswith("sha256:"):
        rows = await store.read("log_entries_by_hash", hashes=[name])
    else:
        rows = await store.read("log_entries_of", ids=[name])
    entries = [row for row in rows if row["type"] == message_type.value]
    if not entries:
        raise NotFoundError(f"no {message_type.wire} {name} is here")
    return entries


async def _stored(platform: Platform, entry: Row, statement: str | None, reader: Reader) -> StoredMessage:
    """Read a message about the statement of that hash, with the reason why this reader may not see parts of it."""
    (document,) = await read_standing(platform.store, platform.content, [entry["document_hash"]])
    found = entry_from_row(entry)
    message = as_named_here(read_message(document), found, platform.node.agent_id)
    about = [statement] if statement is not None else []
    withheld = await Withholding(platform.store, reader.clearance).of_statements(about)
    return StoredMessage(found, message, withheld.get(statement or ""))


def _choose(request: Request) -> str:
    offered = (RECEIVED, LINKED, TURTLE, NQUADS)
    chosen = choose_type(request.headers.get("accept"), offered)
    if chosen is None:
        raise NotAcceptableError(f"none of {', '.join(offered)} is accepted", "Accept")
    return chosen


async def _answer(
    request: Request,
    stored: StoredMessage,
    media_type: str,
    headers: Mapping[str, str] | None = None,
    *,
    status: VerificationStatus | None = None,
    more: Sequence[Triple] = (),
) -> Response:
    """Return the message in a media type; `status` is for JSON-LD, and the triples of other messages for Turtle."""
    if media_type == TURTLE:
        content = serialize_turtle(to_graph([*triples(redacted_message(stored)), *more])).encode()
    elif media_type == RECEIVED:
        # Taking anything out would make other bytes of it.
        if not is_whole(stored):
            raise _refusal(stored)
        content = stored.message.envelope.received
    else:
        document = redacted_document(stored)
        if document is None:
            raise _refusal(stored)
        if media_type == NQUADS:
            content = await asyncio.to_thread(_nquads, document)
        else:
            content = write_json(fill_verification_status(document, status) if status is not None else dict(document))
    return document_response(request, content, media_type, dict(headers or {}))


def _nquads(document: Mapping[str, Any]) -> bytes:
    return write_ntriples(expanded_triples(document)).encode()


def _refusal(stored: StoredMessage) -> RefusedError:
    assert stored.withheld is not None
    verb = "describes" if isinstance(stored.message, VerificationResponse) else "quotes"
    if stored.withheld.is_erased:
        return RedactedError(f"{stored.entry.id} {verb} bytes of a source that were {stored.withheld.reason}")
    return ForbiddenError(f"{stored.entry.id} {verb} a source that this reader may not see: {stored.withheld.reason}")
