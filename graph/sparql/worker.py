"""The process that has a store of quads open: `load FOLDER` writes into it, `query FOLDER` answers one query.

It is started for one task, so that it can be ended with it: a runaway query, or one that takes all of its memory, ends
alone. The folder's lock is the operating system's: one load excludes all queries, and many queries run together.

A load reads N-Quads from standard input, and records the contents of the store at the end; quads of an interrupted load
are written again by the next one, and are there once. A query comes as one line of JSON; the answer is a line of JSON
with a description or an error, and then the text of the answer.
"""

import fcntl
import itertools
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from graph.confinement import confine
from graph.sparql.folder import Held, empty_store, generation_of, held_size, write_held
from graph.sparql.results import WRITERS, write_truth

_QUADS = 50_000
"""Quads in one transaction."""

_ADDRESS_SPACE = 8 * 2**30
"""Bytes that a query's process may map; most of it is the store's files."""

STALE = 3
"""The exit status of a load that does not count."""


class TooLargeAnswer(Exception):
    """The answer has more rows or bytes than allowed."""


def main() -> None:
    """Run the task of the arguments."""
    task, folder = sys.argv[1], Path(sys.argv[2])
    if task == "load":
        since, held, generation = sys.argv[3:]
        sys.exit(load(folder, int(since), Held(**json.loads(held)), generation, sys.stdin.buffer))
    else:
        request = json.loads(sys.stdin.buffer.readline())
        for piece in _told(folder, request):
            sys.stdout.buffer.write(piece)
        sys.stdout.buffer.flush()


def load(folder: Path, since: int, held: Held, generation: str, quads: BinaryIO) -> int:
    """Add quads to a store that holds the first `since` entries, or make it anew if `since` is 0.

    Return the exit status: 3 if the store has changed meanwhile, or was removed since that generation.
    """
    import pyoxigraph as ox

    with _locked(folder, fcntl.LOCK_EX):
        if since == 0:
            empty_store(folder)
        elif held_size(folder) != since:
            return STALE
        try:
            store = ox.Store(str(folder / "store"))
            # The labels of blank nodes stay: a load that is made again adds nothing.
            found = ox.parse(quads, format=ox.RdfFormat.N_QUADS)
            while batch := list(itertools.islice(found, _QUADS)):
                # The default graph is the merge of all: of their union the engine gives a triple of two graphs twice.
                store.extend(quad for one in batch for quad in (one, ox.Quad(one.subject, one.predicate, one.object)))
            store.optimize() if since == 0 else store.flush()
            del store
        except OSError:
            # A removal takes the files from under it.
            if generation_of(folder) == generation:
                raise
            return STALE
        if write_held(folder, held, generation):
            return 0
        empty_store(folder)
        return STALE


def _told(folder: Path, request: dict[str, Any]) -> Iterator[bytes]:
    """Yield the answer, or one line with the error: nothing is sent before the answer is complete."""
    try:
        with _locked(folder, fcntl.LOCK_SH):
            if held_size(folder) < request["size"]:
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
