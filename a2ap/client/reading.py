"""The readings of a platform over HTTP: messages, sources, records, the lineage of a statement, and tables."""

import warnings
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import httpx

from a2ap.client.answers import ProblemError, UnreachableError, json_object
from a2ap.client.connection import Connection
from a2ap.client.queries import (
    ADMISSION,
    ADMISSION_POLICY,
    BLAST_RADIUS,
    IMPACT,
    KEYS,
    LINEAGE,
    PATH,
    POLICY,
    STATS_OVER_TIME,
)
from a2ap.errors import FrameError
from a2ap.json_text import write_json

if TYPE_CHECKING:
    from a2ap.frames.schema import Schema
    from a2ap.frames.table import Table

# As JSON-LD a document has its verification status filled in; as JSON it is the received document.
_AS_RECEIVED = {"accept": "application/json"}


class FrameWarning(UserWarning):
    """A data frame is incomplete: rows beyond its bound are missing, or entries of a list beyond a page."""


class Reading(Connection):
    """The calls that read from a platform; `a2ap.client.Client` has those that submit to it."""

    _schema: "Schema | None" = None

    def frame(
        self,
        query: str | None = None,
        variables: Mapping[str, Any] | None = None,
        *,
        name: str | None = None,
        cypher: str | None = None,
        explode: str | Sequence[str] = (),
        limit: int | None = None,
        library: str = "pandas",
    ) -> Any:
        """Return the answer to a query as a data frame of pandas or polars.

        The query is in GraphQL (`query`), a query in Cypher by its `name`, or one in Cypher text (`cypher`);
        `variables` are its variables or parameters. A list at the root of a GraphQL query is read page after page, with
        `first` as the page size. Nested objects are columns with dotted names. A list stays one column, unless it is
        named in `explode`. The frame has up to `limit` rows, by default 100,000; FrameWarning if more rows exist and no
        given `limit` cut them off, or if a list in a row is incomplete. Raises `FrameError` if no frame can be made,
        and ProblemError if the platform refuses.
        """
        # The modules that read GraphQL are loaded by callers that ask for frames alone.
        try:
            from a2ap.frames.libraries import frame_of
            from a2ap.frames.table import MAX_ROWS
        except ModuleNotFoundError as error:
            raise FrameError(f"{error.name} is not installed: it comes with a2ap[{library}]") from error

        if sum(one is not None for one in (query, name, cypher)) != 1:
            raise FrameError("a frame is of one of query, name and cypher")
        if limit is not None and limit < 1:
            raise FrameError(f"a frame has at least one row, and limit is {limit}")
        exploded = (explode,) if isinstance(explode, str) else tuple(explode)
        most = MAX_ROWS if limit is None else limit
        if query is not None:
            table = self._table_of_query(query, variables, exploded, most)
        else:
            table = self._table_of_cypher({"name": name, "text": cypher}, variables, exploded, most)
        frame = frame_of(table, library)
        if table.more and (limit is None or len(table.rows) < limit):
            warnings.warn(f"the frame has {len(table.rows)} rows, and there are more", FrameWarning, stacklevel=2)
        if table.cut:
            told = f"{', '.join(table.cut)}: entries are missing, since the query does not say how many (first)"
            warnings.warn(told, FrameWarning, stacklevel=2)
        return frame

    def keys(self, agent_id: str) -> list[dict[str, Any]]:
        """Return the keys of an agent with their states, oldest first; empty if the agent is not known."""
        agent = self.graphql(KEYS, {"agent": agent_id})["agent"]
        return [] if agent is None else list(agent["keys"])

    def admission(self) -> dict[str, Any]:
        """Return the admission policy in force."""
        policy: dict[str, Any] = self.graphql(ADMISSION)["admissionPolicy"]
        return policy

    def policy(self) -> bytes | None:
        """Return the consensus policy in force, byte for byte; None if the platform has none."""
        return self._message_of(self.graphql(POLICY)["thisNode"]["consensusPolicy"])

    def admission_policy(self) -> bytes | None:
        """Return the admission policy in force, byte for byte; None if none has been set."""
        return self._message_of(self.graphql(ADMISSION_POLICY)["admissionPolicy"])

    def message(self, document_hash: str) -> bytes:
        """Return an accepted message byte for byte, by the hash of these bytes."""
        return self._send("GET", f"/messages/{quote(document_hash, safe=':')}").content

    def blast_radius(
        self, of: str, name: str, *, as_of: int | None = None, after: str | None = None, first: int = 200
    ) -> dict[str, Any]:
        """Return the blast radius of a name, as a page of `items`; `of` is `key`, `agent`, `source` or `statement`.

        A page is `{nodes, pageInfo {hasNextPage, endCursor}}`; `after` is the `endCursor` of the page before.
        """
        variables = {of: name, "asOf": _at_size(as_of), "after": after, "first": first}
        found: dict[str, Any] = self.graphql(BLAST_RADIUS, variables)["blastRadius"]
        return found

    def lineage(
        self, statement: str, *, as_of: int | None = None, after: str | None = None, first: int = 200
    ) -> dict[str, Any]:
        """Return the lineage of a statement, named by hash or id, with a page of its `events`: causes first.

        A page is `{nodes, pageInfo {hasNextPage, endCursor}}`; `after` is the `endCursor` of the page before.
        """
        variables = {"statement": statement, "asOf": _at_size(as_of), "after": after, "first": first}
        found: dict[str, Any] = self.graphql(LINEAGE, variables)["lineage"]
        return found

    def impact(
        self, of: str, *, kind: str | None = None, as_of: int | None = None, after: str | None = None, first: int = 200
    ) -> dict[str, Any]:
        """Return the impact of anything with a name, with a page of its `items`; `kind` is a value of `LineageKind`.

        A page is `{nodes, pageInfo {hasNextPage, endCursor}}`; `after` is the `endCursor` of the page before.
        """
        variables = {"of": of, "kind": kind, "asOf": _at_size(as_of), "after": after, "first": first}
        found: dict[str, Any] = self.graphql(IMPACT, variables)["impact"]
        return found

    def paths(
        self,
        start: str,
        end: str,
        *,
        max_length: int = 12,
        relations: Sequence[str] | None = None,
        direction: str | None = None,
        as_of: int | None = None,
        first: int = 20,
    ) -> dict[str, Any]:
        """Return the shortest paths between two things: their length, their number, and the `first` of them.

        `relations` and `direction` take the values of `LineageRelation` and `PathDirection`; None is any.
        """
        variables = {
            **{"from": start, "to": end, "maxLength": max_length, "first": first, "asOf": _at_size(as_of)},
            **{"relations": None if relations is None else list(relations), "direction": direction},
        }
        found: dict[str, Any] = self.graphql(PATH, variables)["path"]
        return found

    def stats_over_time(
        self, by: str, start: str | None = None, end: str | None = None, *, as_of: int | None = None
    ) -> dict[str, Any]:
        """Return the counts of the log's contents by HOUR, DAY, WEEK or MONTH; times are as RFC 3339 writes them."""
        variables = {"by": by, "from": start, "to": end, "asOf": _at_size(as_of)}
        found: dict[str, Any] = self.graphql(STATS_OVER_TIME, variables)["statsOverTime"]
        return found

    def has_source(self, document_hash: str) -> bool:
        """Say whether the platform has the bytes of a source, as far as this reader may know."""
        try:
            self._send("HEAD", f"/sources/{quote(document_hash, safe=':')}")
        except ProblemError:
            return False
        return True

    def source(self, document_hash: str, start: int | None = None, end: int | None = None) -> bytes:
        """Return the bytes of a source, or its half-open byte range `start` to `end`."""
        headers = {}
        if start is not None or end is not None:
            headers["range"] = f"bytes={start or 0}-{'' if end is None else end - 1}"
        return self._send("GET", f"/sources/{quote(document_hash, safe=':')}", headers=headers).content

    def record(self, path: str, record_hash: str) -> bytes:
        """Return a record of another format byte for byte, by the hash of its bytes."""
        return self._send("GET", f"{path}/{quote(record_hash, safe=':')}").content

    def verification(self, verification_id: str) -> bytes:
        """Return a verification as it was received, by its id or signed hash."""
        return self._send("GET", f"/verifications/{quote(verification_id, safe=':')}", headers=_AS_RECEIVED).content

    def statement(self, statement_id: str) -> bytes:
        """Return a statement, byte for byte as its author sent it."""
        return self._send("GET", f"/statements/{quote(statement_id, safe=':')}", headers=_AS_RECEIVED).content

    def search(self, query: str, first: int = 20) -> dict[str, Any]:
        """Find statements by words and by meaning, best first, with the places of the words."""
        return json_object(self._send("GET", f"/search?q={quote(query, safe='')}&first={first}"))

    def bundle(self, statement: str) -> bytes:
        """Fetch the bundle of a statement, by its id or its signed hash, for `a2ap.bundle.bundle.verify_bundle`."""
        return self._send("GET", f"/statements/{quote(statement, safe='')}/bundle").content

    def agent(self, agent_id: str) -> bytes:
        """Return the registration of an agent, byte for byte; its key is in it."""
        return self._send("GET", f"/agents/{quote(agent_id, safe=':')}", headers=_AS_RECEIVED).content

    def node(self) -> dict[str, Any]:
        """Return the node's description at `/.well-known/a2ap`: versions, policies, keys, limits, endpoints."""
        return json_object(self._send("GET", "/.well-known/a2ap"))

    def node_agent(self) -> str:
        """Return the id of the node's agent, which lease requests name as their audience."""
        agent = self.node().get("node")
        if not isinstance(agent, str):
            raise UnreachableError("the platform does not say which node it is")
        return agent

    def health(self) -> bool:
        """Tell whether the platform is up and can reach its graph."""
        try:
            return self._http.get("/readyz").status_code == httpx.codes.OK
        except httpx.HTTPError:
            return False

    def _message_of(self, found: dict[str, Any] | None) -> bytes | None:
        """Return the message whose receipt a GraphQL object has."""
        receipt = None if found is None else found["receipt"]
        return None if receipt is None else self.message(receipt["documentHash"])

    def _table_of_query(
        self, text: str, variables: Mapping[str, Any] | None, exploded: Sequence[str], limit: int
    ) -> "Table":
        from a2ap.frames.table import table_of_query

        return table_of_query(lambda page: self.graphql(page, variables), text, self._described(), exploded, limit)

    def _table_of_cypher(
        self,
        asked: Mapping[str, str | None],
        parameters: Mapping[str, Any] | None,
        exploded: Sequence[str],
        limit: int,
    ) -> "Table":
        from a2ap.frames.table import table_of_answer

        body = {key: one for key, one in asked.items() if one is not None} | {"parameters": dict(parameters or {})}
        answer = self._send("POST", "/cypher", content=write_json(body), media_type="application/json")
        return table_of_answer(json_object(answer), exploded, limit)

    def _described(self) -> "Schema":
        """Return the platform's schema, requested once; raises `FrameError` if the platform does not describe it."""
        from a2ap.frames.schema import SCHEMA_QUERY, read_schema

        if self._schema is None:
            try:
                self._schema = read_schema(self.graphql(SCHEMA_QUERY))
            except ProblemError as error:
                told = f"{self._address} does not describe its schema, without which no frame of GraphQL is made"
                raise FrameError(f"{told}: {error}") from error
        return self._schema


def _at_size(as_of: int | None) -> dict[str, int] | None:
    return None if as_of is None else {"logSize": as_of}
