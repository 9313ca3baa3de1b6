"""The names under which things on a node can be asked for, and a request of them.

Hashes follow from closed bytes, so that the same thing has other names on two nodes: `Names.places` says for each
which thing it is, in words that are the same on both.
"""

import base64
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import httpx
from http_client import bearer
from planted_world import PlantedWorld

from a2ap.canonical import sha256_digest
from a2ap.messages.record_registration import RecordFormat
from graph.graphql.node import encode_global_id
from graph.platform import Platform

One = TypeVar("One")

PAGE = "text/html"
_MOST_ENTRIES = 2_000


@dataclass(frozen=True, slots=True)
class Asked:
    """One request."""

    method: str
    path: str
    params: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    body: Any = None

    async def of(self, client: httpx.AsyncClient, token: str | None) -> httpx.Response:
        """Ask it as the reader with a token."""
        headers = {**self.headers, **(bearer(token) if token else {})}
        given = {"json": self.body} if self.body is not None else {}
        return await client.request(self.method, self.path, params=self.params, headers=headers, **given)

    @property
    def kind(self) -> str:
        """Say which page or route is asked, or which root field of GraphQL."""
        if self.path == "/graphql":
            text = (self.body or self.params)["query"]
            return f"/graphql {re.split(r'[^a-zA-Z_]+', text)[1]}"
        folder = self.path.split("/")[1]
        return f"page {folder}" if self.headers.get("accept") == PAGE else folder

    def __str__(self) -> str:
        return " ".join([self.method, self.path, *(str(one) for one in (self.params, self.headers, self.body) if one)])


@dataclass(slots=True)
class Names:
    """The names of each kind of thing, in an order that follows from the acts alone."""

    statements: list[str] = field(default_factory=list)
    statement_ids: list[str] = field(default_factory=list)
    verifications: list[str] = field(default_factory=list)
    agents: list[str] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)
    messages_of_type: dict[str, list[str]] = field(default_factory=dict)
    sources: list[str] = field(default_factory=list)
    source_ids: list[str] = field(default_factory=list)
    passports: list[str] = field(default_factory=list)
    packs: list[str] = field(default_factory=list)
    packets: list[str] = field(default_factory=list)
    packet_records: list[str] = field(default_factory=list)
    contents: list[tuple[str, str]] = field(default_factory=list)
    places: dict[str, str] = field(default_factory=dict)

    @property
    def messages_of_each_type(self) -> list[str]:
        """Return some messages of each type."""
        return [one for found in self.messages_of_type.values() for one in spread(found, 4)]

    @property
    def global_ids(self) -> list[str]:
        """Return the name among everything of each thing that has one."""
        kinds = {
            "Statement": self.statements,
            "Verification": self.verifications,
            "Agent": self.agents,
            "Document": self.sources,
            "Passport": self.passports,
            "Pack": self.packs,
            "Packet": self.packets,
        }
        return [encode_global_id(kind, name) for kind, found in kinds.items() for name in spread(found, 5)]


async def names_of(platform: Platform, world: PlantedWorld) -> Names:
    """Return what there is on a node."""
    names = Names()
    for row in await platform.store.read("log_entries_from", start=0, first=_MOST_ENTRIES):
        place = f"{row['type']} {row['log_index']}"
        for member in ("signed_hash", "document_hash", "id"):
            names.places.setdefault(row[member], f"<{member} of {place}>")
        names.messages.append(row["document_hash"])
        names.messages_of_type.setdefault(row["type"], []).append(row["document_hash"])
        if row["type"] == "ProvenanceStatement":
            names.statements.append(row["signed_hash"])
            names.statement_ids.append(row["id"])
        elif row["type"] == "VerificationResponse":
            names.verifications.append(row["signed_hash"])
        if row["agent"] not in names.agents:
            names.agents.append(row["agent"])
        if row["key"] and row["key"] not in names.keys:
            names.keys.append(row["key"])
    _add_contents(names, world)
    for name, place in list(names.places.items()):
        if name.startswith("sha256:"):
            digest = name.removeprefix("sha256:")
            named = base64.urlsafe_b64encode(bytes.fromhex(digest)).decode().rstrip("=")
            names.places |= {digest: place, named: place, digest[:32]: place}  # as blank nodes of RDF begin
    return names


def _add_contents(names: Names, world: PlantedWorld) -> None:
    """Add the closed sources, records and contents of packs, which are named by their bytes."""
    kinds = RecordFormat
    lists: dict[str, list[str]] = {
        kinds.PASSPORT: names.passports,
        kinds.PACK: names.packs,
        kinds.PACKET: names.packets,
    }
    for closed in world.closed.values():
        for name, content in closed.sources.items():
            names.sources.append(sha256_digest(content))
            names.source_ids.append(closed.source_id(name))
            names.places[names.sources[-1]] = f"<source {closed.source_id(name)}>"
        for kind, content in closed.records.items():
            digest = sha256_digest(content)
            lists.get(kind, names.packet_records).append(digest)
            names.places[digest] = f"<record {closed.boundary} {kind}>"
        for number, (run, content) in enumerate(closed.contents):
            names.contents.append((sha256_digest(run), sha256_digest(content)))
            names.places.setdefault(names.contents[-1][1], f"<content {closed.boundary} {number}>")


def some_of(asked: Iterable[Asked], whole: Collection[str] = (), most: int = 1) -> list[Asked]:
    """Return up to so many of the requests of each kind, and all of these kinds."""
    by_kind: dict[str, list[Asked]] = {}
    for one in asked:
        by_kind.setdefault(one.kind, []).append(one)
    return [one for kind, found in by_kind.items() for one in (found if kind in whole else spread(found, most))]


def spread(values: Sequence[One], most: int) -> list[One]:
    """Return up to so many of the values, from the whole length."""
    count = min(most, len(values))
    return [values[at * len(values) // count] for at in range(count)]
