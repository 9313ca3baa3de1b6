"""The process that has a store of quads open: `load FOLDER` writes into it, `query FOLDER` answers one query.

It is started for one task, so that it can be ended with it: a runaway query, or one that takes all of its memory, ends
alone. The folder's lock is the operating system's: one load excludes all queries, and many queries run together.

Both read one line of JSON first. A load reads N-Quads, removes from the graphs that it replaces the quads that it did
not read, and records the contents of the store at the end; a store whose load was interrupted is made anew. The answer
to a query is a line of JSON with a description or an error, and then the text of the answer.
"""

import fcntl
import itertools
import json
import sys
from collections.abc import Iterable, Iterator, Sequence, Set
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, BinaryIO

from graph.confinement import confine
from graph.sparql.folder import (
    ClosedSources,
    Held,
    begin_load,
    empty_store,
    generation_of,
    held_size,
    is_unfinished,
    write_held,
)
from graph.sparql.results import WRITERS, write_truth

_QUADS = 50_000
"""Quads in one transaction."""

_ADDRESS_SPACE = 8 * 2**30
"""Bytes that a query's process may map; most of it is the store's files."""

STALE = 3
"""The exit status of a load that does not count."""


@dataclass(frozen=True, slots=True)
class Load:
    """A load into a store that has the first `since` entries: its contents afterwards, and the graphs that it replaces.

    `closed` has the documents and names that were closed before the quads were read. The load counts if the store is
    not removed after this `generation`.
    """

    since: int
    held: Held
    closed: ClosedSources
    generation: str
    replaced: Sequence[str] = ()

    def line(self) -> bytes:
        """Return the load as a line of JSON, which `read_load` reads."""
        closed = {"documents": sorted(self.closed.documents), "names": sorted(self.closed.names)}
        return json.dumps({**asdict(self), "closed": closed}).encode() + b"\n"


def read_load(line: bytes) -> Load:
    """Return the load of a line of JSON."""
    read = json.loads(line)
    closed = ClosedSources(frozenset(read["closed"]["documents"]), frozenset(read["closed"]["names"]))
    return Load(read["since"], Held(**read["held"]), closed, read["generation"], read["replaced"])


class TooLargeAnswer(Exception):
    """The answer has more rows or bytes than allowed."""


def main() -> None:
    """Run the task of the arguments."""
    task, folder, line = sys.argv[1], Path(sys.argv[2]), sys.stdin.buffer.readline()
    if task == "load":
        sys.exit(load(folder, read_load(line), sys.stdin.buffer))
    for piece in _told(folder, json.loads(line)):
        sys.stdout.buffer.write(piece)
    sys.stdout.buffer.flush()


def load(folder: Path, task: Load, quads: BinaryIO) -> int:
    """Add quads to a store that holds the first `since` entries, or make it anew if that is 0.

    Return the exit status: 0, or STALE if the store has changed meanwhile, was left unfinished, or was removed.
    """
    import pyoxigraph as ox

    with _locked(folder, fcntl.LOCK_EX):
        if task.since == 0 or is_unfinished(folder):
            empty_store(folder)
        if task.since and held_size(folder) != task.since:
            return STALE
        begin_load(folder)
        try:
            store = ox.Store(str(folder / "store"))
            replaced = {quad for name in task.replaced for quad in store.quads_for_pattern(*_of_graph(name))}
            # The labels of blank nodes stay: a load that is made again adds nothing.
            found = ox.parse(quads, format=ox.RdfFormat.N_QUADS)
            _replace(store, replaced, found, {ox.NamedNode(name) for name in task.replaced})
            store.optimize() if task.since == 0 else store.flush()
            del store
        except OSError:
            # A removal takes the files from under it.
            if generation_of(folder) == task.generation:
                raise
            return STALE
        if write_held(folder, task.held, task.closed, task.generation):
            return 0
        empty_store(folder)
        return STALE


def _replace(store: Any, replaced: Set[Any], quads: Iterable[Any], graphs: Set[Any]) -> None:
    """Add quads, and remove all others of those `replaced`, which are those of `graphs`.

    Most quads of a message stay if it changes, and only the others are written. The store may give a number in other
    digits than the quads, so that it seems to change: new quads of these graphs are added after the removal.
    """
    left, late = set(replaced), list[Any]()
    while batch := list(itertools.islice(quads, _QUADS)):
        left.difference_update(batch)
        new = [one for one in batch if one not in replaced]
        late += (one for one in new if one.graph_name in graphs)
        _add(store, (one for one in new if one.graph_name not in graphs))
    _remove(store, left)
    _add(store, late)
    for graph in graphs:
        if next(store.quads_for_pattern(None, None, None, graph), None) is None:
            store.remove_graph(graph)


def _add(store: Any, quads: Iterable[Any]) -> None:
    """Add quads in one transaction, also to the default graph.

    That is the merge of all: of their union the engine gives a triple of two graphs twice.
    """
    import pyoxigraph as ox

    store.extend(quad for one in quads for quad in (one, ox.Quad(one.subject, one.predicate, one.object)))


def _of_graph(name: str) -> Any:
    import pyoxigraph as ox

    return None, None, None, ox.NamedNode(name)


def _remove(store: Any, quads: Iterable[Any]) -> None:
    """Remove quads, and from the default graph their triples that no other graph has."""
    import pyoxigraph as ox

    for quad in quads:
        store.remove(quad)
        triple = quad.subject, quad.predicate, quad.object
        if all(one.graph_name == ox.DefaultGraph() for one in store.quads_for_pattern(*triple)):
            store.remove(ox.Quad(*triple))


def _told(folder: Path, request: dict[str, Any]) -> Iterator[bytes]:
    """Yield the answer, or one line with the error: nothing is sent before the answer is complete."""
    try:
        with _locked(folder, fcntl.LOCK_SH):
            if is_unfinished(folder) or held_size(folder) < request["size"]:
                told, body = {"error": "stale", "detail": "the store is behind the log"}, list[bytes]()
            else:
                told, body = _answer(folder, request)
    except TooLargeAnswer as error:
        told, body = {"error": "too-large", "detail": str(error)}, []
    except SyntaxError as error:
        told, body = {"error": "syntax", "detail": str(error)}, []
    except MemoryError:
        told, body = {"error": "memory", "detail": "the query needs more memory than it may have"}, []
    except (OSError, RuntimeError, ValueError) as error:
        told, body = {"error": "failed", "detail": str(error)}, []
    yield json.dumps(told).encode() + b"\n"
    yield from body


def _answer(folder: Path, request: dict[str, Any]) -> tuple[dict[str, Any], list[bytes]]:
    import pyoxigraph as ox

    # `rewrite_query` leaves nothing that asks another service; without a network nothing could.
    is_alone = confine(2 * int(request["seconds"]) + 2, _ADDRESS_SPACE)
    store = ox.Store.read_only(str(folder / "store"))
    default, named = (_nodes(request[name]) for name in ("default_graphs", "named_graphs"))
    found = store.query(
        request["query"],
        prefixes=request["prefixes"],
        default_graph=default,
        named_graphs=named,
    )
    held = {"size": held_size(folder), "network": not is_alone}
    if isinstance(found, ox.QueryBoolean):
        return {**held, "kind": "results"}, [write_truth(request["results"], bool(found)).encode()]
    if isinstance(found, ox.QueryTriples):
        format = ox.RdfFormat.N_TRIPLES if request["triples"] == "nt" else ox.RdfFormat.TURTLE
        written = ox.serialize(_few(found, request["rows"]), format=format, prefixes=request["prefixes"])
        return {**held, "kind": "triples"}, _small([written], request["bytes"])
    variables = [variable.value for variable in found.variables]
    rows = (tuple(row) for row in _few(found, request["rows"]))
    pieces = (piece.encode() for piece in WRITERS[request["results"]](variables, rows))
    return {**held, "kind": "results"}, _small(pieces, request["bytes"])


def _nodes(names: list[str] | None) -> Any:
    import pyoxigraph as ox

    return [ox.NamedNode(name) for name in names] if names is not None else None


def _few(found: Any, most: int) -> Iterator[Any]:
    for number, one in enumerate(found):
        if number >= most:
            raise TooLargeAnswer(f"the answer has more than {most} rows; a LIMIT makes it shorter")
        yield one


def _small(pieces: Any, most: int) -> list[bytes]:
    kept, length = [], 0
    for piece in pieces:
        length += len(piece)
        if length > most:
            raise TooLargeAnswer(f"the answer has more than {most} bytes; a LIMIT makes it shorter")
        kept.append(piece)
    return kept


@contextmanager
def _locked(folder: Path, how: int) -> Iterator[None]:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with (folder / "lock").open("wb") as lock:
        fcntl.flock(lock, how)
        yield


if __name__ == "__main__":
    main()
