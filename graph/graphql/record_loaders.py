"""Loads records of other formats, and what came out of them, batched for one request."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from a2ap.json_text import MAX_INTEGER
from graph.graphql.batches import Parts, rows_by, values_by
from graph.graphql.connection import Connection
from graph.graphql.pack import Pack
from graph.graphql.passport import Passport
from graph.graphql.record_reference import RecordReference
from graph.graphql.statement import Statement
from graph.lists.span import Span
from graph.records.passport_chain import MAX_PARENTS
from graph.store import Row, Store

if TYPE_CHECKING:
    from graph.graphql.loaders import Loaders


class RecordLoaders:
    """One request's loaders of records; `loaders` are its others."""

    def __init__(self, store: Store, loaders: Loaders) -> None:
        self._store = store
        self._loaders = loaders
        self._passports = values_by(self._load_passports)
        self._parents = rows_by(store, "passport_parents", "hashes", "child", size=MAX_INTEGER, first=MAX_PARENTS)
        self._packs = values_by(self._load_packs)
        self._steps = rows_by(store, "steps_of_packs", "hashes", "pack")
        self._contents = rows_by(store, "contents_of_packs", "hashes", "pack")
        self._statements = Parts(store, "statements_of_records", "hashes", "record_hash")
        self._passport_children = Parts(store, "passports_derived_from", "hashes", "parent")
        self._pack_children = Parts(store, "pack_children", "hashes", "parent")
        self._of_statements = rows_by(store, "records_of_statements", "hashes", "message")
        self._of_verifications = rows_by(store, "records_of_verifications", "hashes", "message")

    async def passports_with(self, hashes: Sequence[str]) -> list[Passport]:
        """Return the passports with these hashes, in that order."""
        self._loaders.spend(len(hashes))
        return [one for one in await self._passports.load_many(hashes) if one is not None]

    async def parents_of(self, record_hash: str) -> list[Passport]:
        """Return what a passport was derived from."""
        rows = await self._parents.load(record_hash)
        return await self.passports_with([row["parent"] for row in rows])

    async def packs_with(self, hashes: Sequence[str]) -> list[Pack]:
        """Return the packs with these hashes, in that order."""
        self._loaders.spend(len(hashes))
        return [one for one in await self._packs.load_many(hashes) if one is not None]

    async def steps_of(self, record_hash: str) -> list[Row]:
        """Return the rows of the steps of a pack."""
        rows = await self._steps.load(record_hash)
        self._loaders.spend(len(rows))
        return rows

    async def contents_of(self, record_hash: str) -> list[Row]:
        """Return the rows of what a pack used and generated."""
        rows = await self._contents.load(record_hash)
        self._loaders.spend(len(rows))
        return rows

    async def connect_statements(self, record_hash: str, span: Span) -> Connection[Statement]:
        """Return a page of the statements that came out of a record."""
        return await self._statements.connect(record_hash, span, self._named_statements)

    async def connect_passport_children(self, record_hash: str, span: Span) -> Connection[Passport]:
        """Return a page of what was derived from a passport."""
        return await self._passport_children.connect(record_hash, span, self._child_passports)

    async def connect_pack_children(self, record_hash: str, span: Span) -> Connection[Pack]:
        """Return a page of the packs that follow one."""
        return await self._pack_children.connect(record_hash, span, self._child_packs)

    async def _named_statements(self, rows: Sequence[Row]) -> list[Statement]:
        return await self._loaders.statements_with([row["signed_hash"] for row in rows])

    async def _child_passports(self, rows: Sequence[Row]) -> list[Passport]:
        return await self.passports_with([row["child"] for row in rows])

    async def _child_packs(self, rows: Sequence[Row]) -> list[Pack]:
        return await self.packs_with([row["child"] for row in rows])

    async def of_statement(self, signed_hash: str) -> list[RecordReference]:
        """Return the records that a statement came out of."""
        return await self._references(await self._of_statements.load(signed_hash))

    async def of_verification(self, signed_hash: str) -> list[RecordReference]:
        """Return the records that a verdict came out of."""
        return await self._references(await self._of_verifications.load(signed_hash))

    async def _references(self, rows: Sequence[Row]) -> list[RecordReference]:
        kinds = [next(iter(row["labels"] or ()), None) for row in rows]
        names = [row["record_hash"] for row, kind in zip(rows, kinds, strict=True) if kind == "Passport"]
        passports = {one.record_hash: one for one in await self.passports_with(names)}
        runs = [row["record_hash"] for row, kind in zip(rows, kinds, strict=True) if kind == "Pack"]
        packs = {one.record_hash: one for one in await self.packs_with(runs)}
        return [
            RecordReference(
                record_hash=row["record_hash"],
                kind=kind,
                held=bool(row["held"]),
                passport=passports.get(row["record_hash"]) if kind == "Passport" else None,
                pack=packs.get(row["record_hash"]) if kind == "Pack" else None,
            )
            for row, kind in zip(rows, kinds, strict=True)
        ]

    async def _load_passports(self, hashes: list[str]) -> dict[str, Passport]:
        rows = await self._store.read("passports_by_hash", hashes=hashes)
        return {row["record_hash"]: Passport.from_row(row) for row in rows}

    async def _load_packs(self, hashes: list[str]) -> dict[str, Pack]:
        rows = await self._store.read("packs_by_hash", hashes=hashes)
        return {row["record_hash"]: Pack.from_row(row) for row in rows}
