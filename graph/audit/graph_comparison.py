"""The graph that a node publishes, row by row, against the one that its log makes.

Rules:

- The same code exports both for the same clearance, so that only changes make them differ.
- A node is found by label and key, a relationship by type and both ends. Several between the same ends are paired off,
  equal ones first.
- Scores are compared to 1e-4 (docs/explanation/consensus.md): the last bits depend on the processor. Everything
  else is compared exactly.
- A withheld text that may have the words of a source is not compared. Rows that come from entries left out, or are
  derived from them, are not compared either; the report states how many.
"""

import json
from collections.abc import Mapping
from itertools import groupby
from typing import Any

from a2ap.boundary import Boundary
from a2ap.messages.message import MessageType
from graph.audit.graph_rows import PublishedGraph
from graph.audit.left_out import LeftOut
from graph.audit.not_compared import RECORDS, NotCompared
from graph.audit.report import AuditReport, FindingKind
from graph.audit.workspace import Workspace
from graph.dictionary.labels import EDGE_LABELS, NODE_KEYS

SCORE_TOLERANCE = 1e-4

_SCORES = frozenset({"consensus_score", "reputation"})


class GraphComparison:
    """Compares the two sets of rows in a workspace and reports each difference with its place."""

    def __init__(self, workspace: Workspace, published: PublishedGraph, report: AuditReport) -> None:
        self._workspace = workspace
        self._published = published
        self._report = report
        self._partial = len(workspace.skipped) > 0
        self._left_out = LeftOut(workspace)
        self._not_compared = NotCompared(workspace, published)

    def run(self) -> None:
        """Compare everything."""
        if self._partial:
            self._left_out.spread()
            if number := self._left_out.closed_sources:
                self._report.leave("sources that this reader may not have", number)
        rows = self._workspace.stream(
            "SELECT kind, label, name, start, finish, published, properties FROM rows ORDER BY kind DESC, label, name"
        )
        for (kind, label, name), group in groupby(rows, key=lambda row: row[:3]):
            self._compare_group(kind, label, name, list(group))
        self._check_withheld()
        self._check_withheld_registrations()
        self._compare_counts()
        self._compare_heads()

    def _compare_group(self, kind: str, label: str, name: str, group: list[tuple[Any, ...]]) -> None:
        self._report.checked["nodes" if kind == "node" else "relationships"] += sum(row[5] for row in group)
        if label == "LogHead":
            return
        ends = (group[0][3], group[0][4])
        theirs = [json.loads(row[6]) for row in group if row[5]]
        ours = [json.loads(row[6]) for row in group if not row[5]]
        for properties in [one for one in theirs if one in ours]:
            if properties in ours:
                ours.remove(properties)
                theirs.remove(properties)
        for found, expected in zip(_ordered(theirs), _ordered(ours), strict=False):
            self._compare(label, name, ends, found, expected)
        for extra in _ordered(theirs)[len(ours) :]:
            if self._not_compared.is_of_record(label, name, ends):
                self._report.leave(RECORDS)
            elif self._partial and self._left_out.has(kind, label, name, ends, extra):
                self._report.leave("nodes and relationships of messages that are left out")
            else:
                self._find(label, name, ends, extra, f"no entry of the log makes this {_noun(kind)}")
        for missing in _ordered(ours)[len(theirs) :]:
            self._find(label, name, ends, missing, f"the log makes this {_noun(kind)}, and the graph has none")

    def _compare(
        self,
        label: str,
        name: str,
        ends: tuple[str | None, str | None],
        found: dict[str, Any],
        expected: dict[str, Any],
    ) -> None:
        for property_name in sorted(found.keys() | expected.keys()):
            theirs, ours = found.get(property_name), expected.get(property_name)
            if theirs == ours or (property_name in _SCORES and _close(theirs, ours)):
                continue
            reason = self._not_compared.why(label, name, property_name, found, expected)
            if reason is not None:
                self._report.leave(reason)
                continue
            what = f"{property_name} is {_shown(theirs)}, and the log makes it {_shown(ours)}"
            self._find(label, name, ends, expected, what)

    def _check_withheld(self) -> None:
        """Report each statement that is withheld though this reader may read every source that it cites.

        A person that makes a source stricter in the database also withholds statements that could be compared with the
        log.
        """
        cited = self._workspace.run(
            "SELECT DISTINCT untold.log_index, cites.start, parts.finish FROM skipped"
            " JOIN untold ON untold.log_index = skipped.log_index"
            " JOIN rows AS cites ON cites.published AND cites.kind = 'edge' AND cites.label = 'CITES'"
            " AND cites.start = untold.name"
            " JOIN rows AS parts ON parts.published AND parts.kind = 'edge' AND parts.label = 'PART_OF'"
            " AND parts.start = cites.finish"
            " WHERE skipped.why = 'withheld' AND untold.type = ? ORDER BY untold.log_index, parts.finish",
            MessageType.STATEMENT.value,
        )
        for (place, statement), documents in groupby(cited, key=lambda row: row[:2]):
            if not any(self._may_withhold(document) for _, _, document in documents):
                what = "is withheld, and the log makes all that it cites readable for this reader"
                self._report.add(FindingKind.GRAPH, f"Statement {statement} (log entry {place})", what, place)

    def _check_withheld_registrations(self) -> None:
        """Report each registration that is withheld though the graph does not show its source as one above this reader.

        The content of the registration is not known. The class of its source is public, and so are the registrations
        that state it: a person that makes a source stricter in the database has to invent such a registration as well.
        """
        if not self._published.still:
            return
        withheld = self._workspace.run(
            "SELECT DISTINCT untold.log_index, registrations.document FROM skipped"
            " JOIN untold ON untold.log_index = skipped.log_index"
            " LEFT JOIN registrations ON registrations.name = untold.name"
            " WHERE skipped.why = 'withheld' AND untold.type = ? ORDER BY untold.log_index, registrations.document",
            MessageType.SOURCE_REGISTRATION.value,
        )
        for place, found in groupby(withheld, key=lambda row: row[0]):
            documents = [document for _, document in found if document is not None]
            where = f"SourceRegistration (log entry {place})"
            if not documents:
                what = "is withheld, and the graph has no registration from this entry"
                self._report.add(FindingKind.GRAPH, where, what, place)
            for document in documents:
                if (why := self._why_open(document)) is not None:
                    self._report.add(FindingKind.GRAPH, where, f"is withheld, and {why}", place)

    def _why_open(self, document: str) -> str | None:
        """Return why a registration of a document may not be withheld from this reader, None if it may be."""
        boundary = self._property_of(document, "boundary", published=True)
        if boundary is None or self._published.clearance.covers(Boundary(boundary)):
            return f"this reader may read sources that are {boundary or 'of no class'}, as {document} is"
        if not self._is_stated(document, boundary):
            return f"no registration of {document} states that it is {boundary}"
        if self._property_of(document, "registration_hash", published=False) is not None:
            return f"another registration of {document} is given"
        return None

    def _is_stated(self, document: str, boundary: str) -> bool:
        """Return whether a registration in the graph states this class of a document."""
        return bool(
            self._workspace.run(
                "SELECT 1 FROM registrations WHERE document = ? AND boundary = ? LIMIT 1", document, boundary
            )
        )

    def _property_of(self, document: str, name: str, *, published: bool) -> Any:
        found = self._workspace.run(
            "SELECT json_extract(properties, '$.' || ?) FROM rows"
            " WHERE published = ? AND kind = 'node' AND label = 'Document' AND name = ?",
            name,
            int(published),
            document,
        )
        return found[0][0] if found else None

    def _may_withhold(self, document: str) -> bool:
        """Return whether the quotes of a document may be withheld: by its class, or because of an erasure.

        The class is the one that the log makes or, if registrations are withheld, the one that the graph's
        registrations state.
        """
        if self._workspace.run(
            "SELECT 1 FROM rows WHERE NOT published AND label = 'Redaction'"
            " AND json_extract(properties, '$.target') = ? LIMIT 1",
            document,
        ):
            return True
        if self._workspace.has_untold_registration_of(document):
            return self._why_open(document) is None
        boundary = self._property_of(document, "boundary", published=False)
        return boundary is None or not self._published.clearance.covers(Boundary(boundary))

    def _compare_counts(self) -> None:
        """Report nodes and relationships that the database counts and no row shows: they belong to no entry."""
        if not self._published.still:
            self._report.leave("how many nodes and relationships there are: the log grew meanwhile")
            return
        for kind, known, word in (("node", NODE_KEYS, "nodes"), ("edge", EDGE_LABELS, "relationships")):
            counted = self._published.counted[word]
            rows = dict(
                self._workspace.run(
                    "SELECT label, count(*) FROM rows WHERE published AND kind = ? GROUP BY label", kind
                )
            )
            for label in sorted(counted.keys() | rows.keys()):
                if label not in known:
                    self._report.add(FindingKind.GRAPH, label, f"the database has {counted[label]} {word} of this kind")
                    self._name_strays(kind, label)
                elif counted.get(label, 0) != rows.get(label, 0):
                    what = (
                        f"the database has {counted.get(label, 0)} {word}, and {rows.get(label, 0)} belong to entries"
                    )
                    self._report.add(FindingKind.GRAPH, label, what)
                    self._name_strays(kind, label)

    def _name_strays(self, kind: str, label: str) -> None:
        """Report each node or relationship that the node lists from its database and publishes no row for."""
        strays = self._workspace.run(
            "SELECT name, count(*) - (SELECT count(*) FROM rows WHERE published AND rows.kind = listed.kind"
            " AND rows.label = listed.label AND rows.name = listed.name) AS more FROM listed"
            " WHERE kind = ? AND label = ? GROUP BY kind, label, name HAVING more > 0 ORDER BY name",
            kind,
            label,
        )
        for name, more in strays:
            times = "" if more == 1 else f", {more} times"
            self._find(label, name, (None, None), {}, f"is in the database{times}, and no entry of the log makes it")

    def _compare_heads(self) -> None:
        expected = self._workspace.run("SELECT count(*) FROM entries")[0][0]
        heads = self._published.heads
        if len(heads) != 1:
            self._report.add(FindingKind.GRAPH, "LogHead", f"the database has {len(heads)}, not one")
        for head in heads:
            if self._published.size != expected or (isinstance(head.get("size"), int) and head["size"] < expected):
                what = f"size is {_shown(head.get('size'))}, and the log has {expected} entries"
                self._report.add(FindingKind.GRAPH, "LogHead", what)
            statements = self._workspace.run("SELECT count(*) FROM rows WHERE published AND label = 'Statement'")[0][0]
            if self._published.still and head.get("statements") != statements:
                what = f"statements is {_shown(head.get('statements'))}, and the log makes it {statements}"
                self._report.add(FindingKind.GRAPH, "LogHead", what)

    def _find(
        self,
        label: str,
        name: str,
        ends: tuple[str | None, str | None],
        properties: Mapping[str, Any],
        what: str,
    ) -> None:
        place = self._place(name, ends, properties)
        where = f"{label} {name}" + (f" (log entry {place})" if place is not None else "")
        self._report.add(FindingKind.GRAPH, where, what, place)

    def _place(self, name: str, ends: tuple[str | None, str | None], properties: Mapping[str, Any]) -> int | None:
        """Return the index of the log entry that the row comes from, as far as that is known."""
        if isinstance(properties.get("log_index"), int):
            return int(properties["log_index"])
        for known in (properties.get("signed_hash"), properties.get("registration_hash"), name, *ends):
            if isinstance(known, str) and (place := self._workspace.entry_of(known)) is not None:
                return place
        return None


def _ordered(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(rows, key=lambda properties: json.dumps(properties, sort_keys=True))


def _close(theirs: Any, ours: Any) -> bool:
    numbers = isinstance(theirs, (int, float)) and isinstance(ours, (int, float))
    return numbers and abs(theirs - ours) <= SCORE_TOLERANCE


def _noun(kind: str) -> str:
    return "node" if kind == "node" else "relationship"


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False) if value is not None else "absent"
    return text if len(text) <= 200 else text[:200] + "…"
