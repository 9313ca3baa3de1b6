"""Rows of Context Packets: the names and vocabulary words that each states, and the results of its hash and check.

No free text of a packet is in the graph: purposes, contents, questions and guidance are in its bytes alone, which are
given out under its class. `packet_hash` is set only if it is the hash of the packet, stated or, if none is stated,
computed: receipts are joined by it. `level` is the result of the check, at no particular time.

An item is about the statement or the document that it names, if the name is `sha256:…` in one of this node's
references.
"""

import re
from collections.abc import Sequence
from enum import StrEnum
from typing import Any

from a2ap.boundary import Boundary
from a2ap.packet.authority import PROMOTERS
from a2ap.packet.canon import HashDomain, match_hash, packet_hash, read_hash
from a2ap.packet.check_packet import check_packet
from a2ap.packet.document import Members, PacketDocument, part_of, read_document, text_of, texts_of
from a2ap.packet.errors import PacketHashError, PacketSignatureError, PacketTextError
from a2ap.packet.signature import read_signature, verify_members
from a2ap.packet.vocabulary import (
    BranchStatus,
    Degree,
    EpistemicStatus,
    GovernorMode,
    Kind,
    ProducerType,
    PromotionState,
    Trust,
)
from graph.log.row_lists import Row
from graph.records.record_reader import RecordReader
from graph.records.short_text import short_text

MAX_ITEMS = 1_000
"""Maximum items of one packet in the graph; the number of all is on the packet."""
MAX_NAMES = 64
"""Maximum references of one packet in the graph."""

_HASH = re.compile(r"sha256:[0-9a-f]{64}")
_ITEM_WORDS: dict[str, type[StrEnum]] = {
    "kind": Kind,
    "epistemic_status": EpistemicStatus,
    "promotion_state": PromotionState,
    "confidence": Degree,
    "stakes": Degree,
    "boundary": Boundary,
    "branch_status": BranchStatus,
}


def packet_rows(content: bytes, record_hash: str) -> list[tuple[str, Row]]:
    """Return the rows of one packet."""
    document = read_document(content)
    row = _content_row(document, record_hash)
    rows: list[tuple[str, Row]] = [("write_packet_contents", row)]
    items = [_item_row(item, record_hash, place) for place, item in enumerate(document.items[:MAX_ITEMS])]
    rows += [("write_packet_items", item) for item in items]
    for query, name in (("write_item_statements", "statement_hash"), ("write_item_documents", "about_document")):
        rows += [(query, {"item_key": item["item_key"], "about": item[name]}) for item in items if item[name]]
    if row["packet_hash"]:
        rows.append(("write_packet_hashes", {"record_hash": record_hash, "packet_hash": row["packet_hash"]}))
    if row["packet_id"] and row["supersedes_packet"]:
        rows.append(("write_packet_predecessors", {"record_hash": record_hash}))
    if row["packet_id"]:
        rows.append(("write_packet_successors", {"record_hash": record_hash, "packet_id": row["packet_id"]}))
    return rows


def _check(content: bytes) -> None:
    spec = read_document(content).members.get("spec")
    if not isinstance(spec, str) or not spec.startswith("context-packet/"):
        raise PacketTextError("spec of a Context Packet begins with context-packet/")


PACKETS = RecordReader(label="Packet", check=_check, write="write_packets", rows_of=packet_rows, blank="blank_packets")


def bound_hash(document: PacketDocument) -> tuple[str | None, HashDomain | None]:
    """Return the hash that names a packet, and its domain; None for both if the stated hash is not its own."""
    try:
        if document.packet_hash is None:
            return packet_hash(document.members), HashDomain.MINUS_PACKET_HASH_AND_RECEIPTS
        match = match_hash(document)
    except PacketHashError:
        return None, None
    found = read_hash(document.packet_hash)
    if match is None or found is None:
        return None, None
    return match.algorithm.prefix + found[1], match.domain


def signed_by(members: Members) -> str | None:
    """Return the `did:key` under which the signature of a packet or record holds, None if none does."""
    try:
        return verify_members(members, read_signature(members).public_key).public_key.did_key
    except PacketSignatureError:
        return None


def _content_row(document: PacketDocument, record_hash: str) -> Row:
    members, scope, lineage = document.members, document.part("scope"), document.part("lineage")
    producer, governor, recipient = (document.part(name) for name in ("producer", "governor", "recipient"))
    found, domain = bound_hash(document)
    report = check_packet(document)
    return {
        "record_hash": record_hash,
        "byte_length": len(document.data),
        **{name: short_text(members.get(name)) for name in ("spec", "packet_id", "created_at", "packet_type")},
        "task_ref": short_text(members.get("task_ref")),
        "producer_id": short_text(producer.get("id")),
        "producer_type": _word(producer.get("type"), ProducerType),
        "governor_id": short_text(governor.get("id")),
        "governor_mode": _word(governor.get("mode"), GovernorMode),
        "recipient_id": short_text(recipient.get("id")),
        "recipient_type": short_text(recipient.get("type")),
        **{name: short_text(scope.get(name)) for name in ("workspace", "project", "boundary_ceiling", "expires_at")},
        "supersedes_packet": short_text(lineage.get("supersedes_packet")),
        "assembly_query_ref": short_text(lineage.get("assembly_query_ref")),
        "source_state_refs": _names(texts_of(document.part("reproducibility"), "source_state_refs")),
        "packet_hash": found,
        "hash_domain": None if domain is None else domain.value,
        "hash_stated": document.packet_hash is not None,
        "level": None if report.level is None else report.level.value,
        "claimed_level": None if report.claimed is None else report.claimed.value,
        "items": len(document.items),
        "open_loops": len(document.parts("open_loops")),
        "exclusions": len(document.parts("exclusions")),
        "signed_by": signed_by(members),
        "promoters": _names(texts_of(document.part("ext"), PROMOTERS)) or None,
    }


def _item_row(item: Members, record_hash: str, place: int) -> Row:
    provenance = part_of(item, "provenance")
    source = text_of(provenance, "source") or ""
    document = _hash_in(source, "a2ap-document:") or _hash_in(source, "")
    stated = part_of(item, "ext").get("a2ap.statement")
    statement = _hash_in(source, "a2ap-statement:") or (_hash_in(stated, "") if document is None else None)
    return {
        "record_hash": record_hash,
        "item_key": f"{record_hash}#{place}",
        "position": place,
        "item_id": short_text(item.get("item_id")),
        **{name: _word(item.get(name), words) for name, words in _ITEM_WORDS.items()},
        "source": short_text(source) or None,
        "author": short_text(provenance.get("author")),
        "trust": _word(provenance.get("trust"), Trust),
        "recorded_at": short_text(provenance.get("recorded_at")),
        "supersedes": short_text(item.get("supersedes")),
        "superseded_by": short_text(item.get("superseded_by")),
        "statement_hash": statement,
        "about_document": document,
    }


def _word(value: Any, words: type[StrEnum]) -> str | None:
    """Return a word of a vocabulary of the specification; None for any other text."""
    return value if isinstance(value, str) and value in frozenset(words) else None


def _hash_in(value: Any, prefix: str) -> str | None:
    """Return the `sha256:…` that follows the prefix in a text, None if there is none."""
    if not isinstance(value, str) or not value.startswith(prefix):
        return None
    rest = value.removeprefix(prefix)
    return rest if _HASH.fullmatch(rest) else None


def _names(texts: Sequence[str]) -> list[str]:
    return [text for text in texts[:MAX_NAMES] if short_text(text) is not None]
