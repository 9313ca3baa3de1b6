"""Answers SPARQL queries from the store of the reader's boundary class.

A query is answered from a store with every entry that the log had when it came; missing entries are loaded first
(`graph.sparql.loading`). Every query is a process (`graph.sparql.worker`), killed at its time limit.
"""

import asyncio
import json
import logging
from asyncio.subprocess import PIPE
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from a2ap.boundary import Boundary
from a2ap.rdf.vocabulary import PREFIXES
from graph.content.content_store import ContentStore
from graph.errors import NotInstalledError, NotReadyError, SparqlTextError, SparqlTimeoutError, TooLargeError
from graph.log.entry import log_size
from graph.requests.query_budget import QueryBudget
from graph.requests.share import UNNAMED, Share
from graph.settings import Settings
from graph.sparql.folder import FOLDER, held_size
from graph.sparql.loading import StoreLoader
from graph.sparql.process import end_worker, start_worker
from graph.sparql.query_text import check_graph, rewrite_query
from graph.store import Store

logger = logging.getLogger(__name__)

_MAX_ANSWER = 32 * 2**20
"""Bytes of an answer."""

_TRIES = 3
_PREFIXES = {**PREFIXES, "np": "http://www.nanopub.org/nschema#", "xsd": "http://www.w3.org/2001/XMLSchema#"}


@dataclass(frozen=True, slots=True)
class Wanted:
    """The form of an answer: `json`, `xml`, `csv` or `tsv` of rows, `turtle` or `nt` of triples.

    The graphs are those of the protocol's parameters, which replace the query's dataset.
    """

    results: str = "json"
    triples: str = "turtle"
    default_graphs: tuple[str, ...] | None = None
    named_graphs: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer as text, whether it is triples, and the number of log entries in the store."""

    content: bytes
    is_triples: bool
    size: int


class SparqlStores:
    """Answers queries from stores in a data folder; they stay between runs, and can be made anew.

    A query may take `seconds` and have up to `rows` rows, and waits for a load up to `patience` seconds, or without
    limit if that is None.
    """

    def __init__(
        self,
        store: Store,
        content: ContentStore,
        data: Path,
        *,
        seconds: float,
        rows: int,
        patience: float | None = None,
        budget: QueryBudget | None = None,
    ) -> None:
        self._store = store
        self._loader = StoreLoader(store, content, data / FOLDER)
        self._seconds = seconds
        self._rows = rows
        self._patience = patience
        self._budget = budget or QueryBudget()
        self._is_network_told = False

    @classmethod
    def of(
        cls,
        store: Store,
        content: ContentStore,
        settings: Settings,
        *,
        patience: float | None = None,
        budget: QueryBudget | None = None,
    ) -> "SparqlStores":
        """Return the stores of these settings."""
        return cls(
            store,
            content,
            settings.data,
            seconds=settings.sparql_timeout,
            rows=settings.sparql_rows,
            patience=patience,
            budget=budget,
        )

    async def ask(self, clearance: Boundary, query: str, wanted: Wanted, share: Share = UNNAMED) -> Answer:
        """Return the answer to a query, for a reader with this clearance; it counts in their share.

        Raises TooManyQueriesError, OwnQueriesBusyError, SparqlTextError, SparqlTimeoutError, TooLargeError,
        NotInstalledError, and NotReadyError while the store is behind the log.
        """
        if find_spec("pyoxigraph") is None:
            raise NotInstalledError("SPARQL needs pyoxigraph, which the extra `sparql` of this package brings")
        text = rewrite_query(query)
        for iri in (*(wanted.default_graphs or ()), *(wanted.named_graphs or ())):
            check_graph(iri)
        size = await log_size(self._store)
        for _ in range(_TRIES):
            await self._wait_for(clearance, size)
            async with self._budget.place(share, self._seconds):
                told, body = await self._run_in_time(clearance, text, wanted, size)
            if told.get("error") != "stale":
                return _answer(told, body)
        raise NotReadyError(self._state(clearance, size))

    async def aclose(self) -> None:
        """Cancel all loads."""
        await self._loader.aclose()

    def _state(self, clearance: Boundary, size: int) -> str:
        held = held_size(self._loader.path(clearance))
        return f"the store for {clearance} readers holds {held} of the log's {size} entries and is being loaded"

    async def _wait_for(self, clearance: Boundary, size: int) -> None:
        try:
            async with asyncio.timeout(self._patience):
                await self._loader.bring_up(clearance, size)
        except TimeoutError as error:
            raise NotReadyError(self._state(clearance, size)) from error

    async def _run_in_time(
        self, clearance: Boundary, query: str, wanted: Wanted, size: int
    ) -> tuple[dict[str, Any], bytes]:
        try:
            async with asyncio.timeout(self._seconds):
                return await self._run(clearance, query, wanted, size)
        except TimeoutError as error:
            raise SparqlTimeoutError(f"the query took longer than {self._seconds:g} seconds") from error

    async def _run(self, clearance: Boundary, query: str, wanted: Wanted, size: int) -> tuple[dict[str, Any], bytes]:
        """Run a query in a process, and return its first line, about the answer, and the answer."""
        request = {
            "query": query,
            "prefixes": _PREFIXES,
            "results": wanted.results,
            "triples": wanted.triples,
            "default_graphs": wanted.default_graphs,
            "named_graphs": wanted.named_graphs,
            "size": size,
            "rows": self._rows,
            "bytes": _MAX_ANSWER,
            "seconds": self._seconds,
        }
        process = await start_worker("query", self._loader.path(clearance), output=PIPE)
        try:
            said, _ = await process.communicate(json.dumps(request).encode() + b"\n")
        finally:
            await end_worker(process)
        first, _, body = said.partition(b"\n")
        told: dict[str, Any] = json.loads(first) if first else {"error": "died"}
        if told.get("network") and not self._is_network_told:
            self._is_network_told = True
            logger.warning("queries run with the network: this system lets no process leave it (unshare)")
        return told, body


def _answer(told: dict[str, Any], body: bytes) -> Answer:
    match told.get("error"):
        case None:
            return Answer(body, told["kind"] == "triples", told["size"])
        case "syntax":
            raise SparqlTextError(f"the query cannot be read: {told['detail']}")
        case "too-large":
            raise TooLargeError(told["detail"])
        case "memory" | "died":
            raise TooLargeError("the query needs more memory or time than it may have")
        case _:
            raise SparqlTextError(f"the query cannot be answered: {told['detail']}")
