"""Loads gold labels, their disputes, and records of probes, batched and cached for one request."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from graph.gold.probe_answers import probe_records_of
from graph.gold.probe_record import ProbeRecord
from graph.graphql.batches import Parts, Row, rows_by, values_by
from graph.graphql.connection import Connection
from graph.graphql.gold import GoldDispute, GoldLabel, Probes
from graph.lists.span import Span
from graph.store import Store

if TYPE_CHECKING:
    from graph.graphql.loaders import Loaders


class GoldLoaders:
    """The loaders of gold labels, for one request; `loaders` are the request's other loaders."""

    def __init__(self, store: Store, loaders: "Loaders") -> None:
        self._loaders = loaders
        self._labels = rows_by(store, "gold_labels_of", "hashes", "statement")
        self._disputes = Parts(store, "disputes_of_label", "hashes", "label_hash")
        self._probes = values_by(lambda agents: probe_records_of(store, agents))

    async def labels_of(self, signed_hash: str) -> list[GoldLabel]:
        """Return the gold labels of a statement, oldest first."""
        rows = await self._labels.load(signed_hash)
        self._loaders.spend(len(rows))
        withheld = await self._loaders.documents.reason_withheld_of(signed_hash) if rows else None
        return [GoldLabel.from_row(row, withheld) for row in rows]

    async def connect_disputes_of(self, statement: str, label: str, span: Span) -> Connection[GoldDispute]:
        """Return a page of the disputes of a gold label of a statement."""

        async def show(rows: Sequence[Row]) -> list[GoldDispute]:
            self._loaders.spend(len(rows))
            withheld = await self._loaders.documents.reason_withheld_of(statement) if rows else None
            return [GoldDispute.from_row(row, withheld) for row in rows]

        return await self._disputes.connect(label, span, show)

    async def probes_of(self, agent_id: str) -> Probes:
        """Return the results of an agent on probes."""
        record: ProbeRecord | None = await self._probes.load(agent_id)
        return Probes.from_computed(record or ProbeRecord())
