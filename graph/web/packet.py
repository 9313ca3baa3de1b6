"""The page of a Context Packet: claims with their evidence, terms, open questions, decisions, and its senders."""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from fastapi import APIRouter
from fastapi.responses import Response

from a2ap.packet.check_packet import check_packet
from a2ap.packet.document import PacketDocument, part_of, parts_of, read_document, text_of, texts_of
from a2ap.packet.errors import PacketTextError
from a2ap.packet.finding import Severity
from graph.web.address import address_of
from graph.web.negotiation import PageRoute
from graph.web.page import PagesOf, Twin
from graph.web.passport import shortened

_HEADINGS = (
    (Severity.ERROR, "Errors: a rule is broken", "badge-bad"),
    (Severity.WARNING, "Warnings: a person should look", "badge-open"),
    (Severity.NOTE, "Notes", ""),
)
_QUOTED = ("quoted_data", "interpretation", "uri", "media_type")

router = APIRouter(route_class=PageRoute, include_in_schema=False)


@dataclass(frozen=True, slots=True)
class ShownItem:
    """An item of a packet: its members as received, its texts, and the place in the graph that it is about."""

    members: Mapping[str, Any]
    content: Mapping[str, str]
    provenance: Mapping[str, Any]
    statement: Mapping[str, Any] | None
    document_hash: str | None


@router.get("/packets/{name}")
async def packet(name: str, pages: PagesOf) -> Response:
    """Show a packet by the SHA-256 of its bytes, its own hash, or its id."""
    data = await pages.ask_for("packet", "packet", name, name=name)
    found = data["packet"]
    document = _document_of(found["document"])
    closure = None
    if found["withheld"] is None:
        closure = (await pages.ask("packet_closure", name=found["recordHash"]))["packetClosure"]
    now = None if pages.as_of is not None else pages.context.platform.clock()
    shown = {
        **data,
        "closure": closure,
        "terms": {} if document is None else terms_of(document),
        "items": [] if document is None else items_of(document, found["items"]["nodes"]),
        "groups": [] if document is None else findings_of(document, now),
        "records_about": [_record_of(record) for record in found["records"]["nodes"]],
        "document": shortened(found["document"]),
    }
    twins = Twin.of(address_of("packets", found["recordHash"]), "JSON") if found["document"] is not None else ()
    return pages.render("packet", shown, query="packet", variables={"name": name}, twins=twins)


def items_of(document: PacketDocument, known: Sequence[Mapping[str, Any]]) -> list[ShownItem]:
    """Return the items of a packet, each with the statement or document of the graph that it is about."""
    places = {item["position"]: item for item in known}
    items = []
    for position, members in enumerate(document.items):
        place = places.get(position, {})
        items.append(
            ShownItem(
                members=_texts(members),
                content=_content_of(members.get("content")),
                provenance=_texts(part_of(members, "provenance")),
                statement=place.get("statement"),
                document_hash=place.get("documentHash"),
            )
        )
    return items


def terms_of(document: PacketDocument) -> dict[str, Any]:
    """Return the terms of a packet: its uses, its contract, its open questions and its exclusions, as texts."""
    scope, contract = document.part("scope"), document.part("return_contract")
    return {
        "purpose": text_of(document.members, "purpose"),
        "producer": _texts(document.part("producer")),
        "governor": _texts(document.part("governor")),
        "recipient": _texts(document.part("recipient")),
        "project": text_of(scope, "project"),
        "allowed": texts_of(scope, "allowed_use"),
        "disallowed": texts_of(scope, "disallowed_use"),
        "temporal": _texts(document.part("temporal_policy")),
        "contract": {
            name: ", ".join(texts_of(contract, name)) if isinstance(value, list) else _text(value)
            for name, value in contract.items()
        },
        "loops": [_texts(loop) for loop in document.parts("open_loops")],
        "declares_loops": isinstance(document.members.get("open_loops"), list),
        "exclusions": [_texts(one) for one in document.parts("exclusions")],
        "sources": texts_of(document.part("lineage"), "assembled_from"),
        "receipts": [_texts(one) for one in document.parts("receipts")],
        "signature": _texts(part_of(document.part("ext"), "a2ap.signature")),
        "promoters": texts_of(document.part("ext"), "a2ap.promoters"),
    }


def findings_of(document: PacketDocument, now: datetime | None) -> list[tuple[str, str, list[dict[str, str]]]]:
    """Return the findings of the check of a packet by severity, worst first."""
    findings = check_packet(document, now=now).findings
    return [
        (
            heading,
            mark,
            [
                {"code": f"§{one.rule.number}", "words": one.words, "path": one.path}
                for one in findings
                if one.severity is severity
            ],
        )
        for severity, heading, mark in _HEADINGS
    ]


def _record_of(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return a receipt, return or disposition with its words, which are in its document."""
    document = _document_of(record["document"])
    members = {} if document is None else document.members
    return {
        **record,
        "reason": text_of(members, "reason"),
        "return_id": text_of(members, "return_id"),
        "proposal": text_of(members, "proposal"),
        "outputs": [(_texts(one), _content_of(one.get("content"))) for one in parts_of(members, "outputs")],
        "proposals": [(_texts(one), _content_of(one.get("content"))) for one in parts_of(members, "proposals")],
    }


def _document_of(text: str | None) -> PacketDocument | None:
    try:
        return None if text is None else read_document(text.encode())
    except PacketTextError:
        return None


def _content_of(content: object) -> defaultdict[str, str]:
    if isinstance(content, dict):
        return _texts({name: content.get(name) for name in _QUOTED})
    return _texts({"text": content})


def _texts(members: Mapping[str, Any]) -> defaultdict[str, str]:
    """Return the members of a part as texts; a template finds "" for a member that is not there."""
    return defaultdict(str, {name: _text(value) for name, value in members.items() if value is not None})


def _text(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return shortened(text) or ""
