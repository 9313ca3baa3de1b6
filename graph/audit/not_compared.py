"""The properties of two graphs that are not compared: withheld from a reader, or made from messages left out."""

from collections.abc import Mapping
from typing import Any

from graph.audit.graph_rows import PublishedGraph
from graph.audit.workspace import Workspace
from graph.dictionary.labels import EDGE_LABELS, NODE_KEYS, SOURCE_TEXTS

GREW = "scores that may have changed while they were read"

_OF_VERDICTS = frozenset(
    {"consensus_score", "verified", "label", "reputation", "verdicts_right", "verdicts_wrong", "estimated_accuracy"}
    | {"carried", "carried_by", "opposed_by", "carried_subject"}
)
_OF_GOLD = frozenset(
    {"evidence_passed", "machine_checked_at", "probe", "probe_passes", "probed_verifier", "probing"}
    | {"standing", "in_force", "withdrawn", "suspended", "suspends"}
)
_OF_RETRACTIONS = ("retracted", "retracted_at", "retraction_id", "retraction_hash", "retraction_reason")
_OF_OTHERS = frozenset(
    {
        *("statement_index", "machine_check", "machine_reason", "superseded_by", "conflicted"),
        *_OF_RETRACTIONS,
        *_OF_GOLD,
    }
)
_OF_REQUESTS = frozenset({"open_until", "open_for", "answered_by"})
_OF_SOURCES = frozenset({"held", "byte_length", "text"})
# Properties that the first statement that cites a passage or source states, unless a registration states them.
_OF_FIRST_CITATION = {
    "Document": frozenset({"doc_id", "document_hash", "registered"}),
    "Chunk": frozenset({"chunk_id", "doc_id", "document_hash", "content_hash", "timestamp_start", "timestamp_end"}),
}
# Properties that a registration of a source states, or its bytes do once it is registered.
_OF_REGISTRATION = frozenset(
    {"doc_id", "document_hash", "boundary", "registered", "registration_hash", "retain_until", "byte_length", "held"}
)
# Properties of a name that the registrations under it say, each of which may be left out.
_OF_NAME = frozenset({"title", "publisher", "origin", "answered_for", "has_proof"})
# Properties that a redaction changed before any statement cited the passage or source that is not left out.
_TAKEN_AWAY = frozenset({"redacted", "erased", "text"})

_RECORD_LABELS = frozenset(label for label, key in NODE_KEYS.items() if key == "record_hash")
_PART_LABELS = frozenset(label for label, key in NODE_KEYS.items() if key in ("item_key", "step_key"))
"""Labels of parts of records; a part is named by the hash of the record, `#` and a place."""
_NOT_GIVEN = ("withheld", "other bytes")
RECORDS = "facts about records that this reader may not have"


class NotCompared:
    """Decides which properties of the log's graph and of the published graph are not compared."""

    def __init__(self, workspace: Workspace, published: PublishedGraph) -> None:
        self._workspace = workspace
        self._published = published
        self._partial = len(workspace.skipped) > 0

    def why(
        self, label: str, name: str, property_name: str, found: Mapping[str, Any], expected: Mapping[str, Any]
    ) -> str | None:
        """Return why this property of a node or relationship is not compared, None if it is."""
        texts = ("withheld", *SOURCE_TEXTS.get(label, ())) if found.get("withheld") is not None else ()
        reason = _why_withheld(property_name, found, expected, self._partial) if property_name in texts else None
        reason = reason or self._why_derived(label, name, property_name, found)
        if reason is None and self._partial and self._is_of_registration(label, name, property_name, expected):
            reason = "facts about a source that may be from registrations that are left out"
        if reason is None and self._partial and self._is_of_first_citation(label, name, property_name, expected):
            reason = "facts about a source that may be from statements that are left out"
        if reason is None and self._partial and _may_be_excluded(property_name, found, expected):
            return "statements that may be excluded by statements that are left out"
        return reason

    def _is_of_registration(self, label: str, name: str, property_name: str, expected: Mapping[str, Any]) -> bool:
        """Return whether a registration that is left out may have stated this property of a document or source.

        A passage that is cited by the name of a source loses its text together with the source registered under that
        name.
        """
        if label == "Document" and property_name in _OF_REGISTRATION:
            return self._workspace.has_untold_registration_of(name)
        if label == "Source" and property_name in _OF_NAME:
            return self._workspace.is_untold(name)
        if label == "SOURCED_FROM":
            return self._workspace.has_untold_registration_of(name.partition(" → ")[0])
        if property_name not in _TAKEN_AWAY or expected.get(property_name):
            return False
        return label == "Chunk" and self._workspace.is_untold(self._document_of(name))

    def _is_of_first_citation(self, label: str, name: str, property_name: str, expected: Mapping[str, Any]) -> bool:
        """Return whether a statement left out may have been the first to state this of its cited passage or source."""
        known = expected.get(property_name)
        if property_name in _TAKEN_AWAY:
            return label in ("Document", "Chunk") and not known and self._workspace.is_untold(name)
        if property_name not in _OF_FIRST_CITATION.get(label, ()) or expected.get("registration_hash") is not None:
            return False
        return self._workspace.is_untold(name)

    def _why_derived(self, label: str, name: str, property_name: str, found: Mapping[str, Any]) -> str | None:
        """Return why a property derived from sources, records, verdicts, requests or statements is not compared."""
        if property_name in _OF_SOURCES and label in ("Document", "Chunk"):
            state = self._state_of_source(label, name)
            if state == "withheld":
                return "facts about sources that this reader may not have"
            if state == "other bytes":
                return "facts about sources that are given with other bytes"
        if label in _RECORD_LABELS and self._state_of_source(label, name) in _NOT_GIVEN:
            return RECORDS
        reason = self._why_of_verdicts(label, name, property_name, found)
        if reason is not None:
            return reason
        if property_name in _OF_REQUESTS and label == "VerificationRequest":
            if not self._published.still:
                return GREW
            if not self._published.settled:
                return "which requests wait, which is being worked out again"
            if self._partial:
                return "which requests wait for messages that are left out"
        # How many statements came before depends on all that is left out.
        of_others = property_name == "statement_index" or self._rests_on_untold(name, found)
        if property_name == "probing" and label == "Agent":
            of_others = self._workspace.has_untold_statement_of(name)
        if property_name in _OF_OTHERS and self._partial and of_others:
            return "states of statements that rest on messages that are left out"
        return None

    def _why_of_verdicts(self, label: str, name: str, property_name: str, found: Mapping[str, Any]) -> str | None:
        if property_name not in _OF_VERDICTS:
            return None
        if not self._published.still:
            return GREW
        if not self._published.scored:
            return "scores that are being worked out again"
        if self._partial and (label == "Agent" or self._rests_on_untold(name, found)):
            return "scores that rest on messages that are left out"
        return None

    def _rests_on_untold(self, name: str, found: Mapping[str, Any]) -> bool:
        # Its revision and retraction are not asked for: a forged graph could have one message revise many statements.
        statement = found.get("statement_id")
        return self._workspace.is_untold(f"score of {name}", *([statement] if isinstance(statement, str) else []))

    def is_of_record(self, label: str, name: str, ends: tuple[str | None, str | None]) -> bool:
        """Return whether a part or relationship was made from the bytes of a record that are not available here."""
        starts = EDGE_LABELS.get(label, ("", ""))[0].split("|")
        if label in _PART_LABELS:
            ends = (name, None)
        elif label == "Document":
            # Bytes that nothing here names but records whose own bytes are not here.
            leading = self._workspace.run(
                "SELECT label, start FROM rows WHERE published AND kind = 'edge' AND finish = ?"
                " AND label IN ('USED', 'GENERATED', 'ABOUT')",
                name,
            )
            return any(self.is_of_record(label, start, (start, None)) for label, start in leading)
        elif label == "RECORD_OF" or (_RECORD_LABELS | _PART_LABELS).isdisjoint(starts):
            return False
        records = (end.partition("#")[0] for end in ends if end is not None)
        return any(self._state_of_source("", record) in _NOT_GIVEN for record in records)

    def _state_of_source(self, label: str, name: str) -> str | None:
        document = self._document_of(name) if label == "Chunk" else name
        found = self._workspace.run("SELECT state FROM sources WHERE document_hash = ?", document)
        return str(found[0][0]) if found else None

    def _document_of(self, chunk: str) -> str:
        found = self._workspace.run("SELECT finish FROM rows WHERE label = 'PART_OF' AND start = ? LIMIT 1", chunk)
        return str(found[0][0]) if found else ""


def _may_be_excluded(property_name: str, found: Mapping[str, Any], expected: Mapping[str, Any]) -> bool:
    """Return whether messages left out can be the reason why a statement carried in both graphs is not verified."""
    carried = found.get("carried") is True and expected.get("carried") is True
    return property_name == "verified" and carried and found.get("verified") is False


def _why_withheld(name: str, found: Mapping[str, Any], expected: Mapping[str, Any], partial: bool) -> str | None:
    """Return the reason if a text is withheld in the log's graph as well, or cannot be compared; None otherwise."""
    theirs, ours = found.get(name), expected.get(name)
    empty = not theirs or (isinstance(theirs, list) and all(item == "" for item in theirs))
    if name == "withheld" or (empty and (partial or not ours or "withheld" in expected)):
        return "texts that this reader may not see"
    return None
