"""A command that uses the embedded engine of a folder, for tests that run several and kill some.

`python engine_user.py DATA` prints the engine's pid and then `ready`, and leaves when its input ends. With `write`
as a second argument it writes until it is killed, and prints each key once its write was acknowledged.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

from quick_java import QUICK

from cypher import Query, parse_query
from graph.engine.engine import embedded_engine
from graph.store import connect_store


def queries(name: str) -> Query:
    """Return a query of this command."""
    text = {
        "create": "CREATE (:Source {source_id: $id})",
        "ids": "MATCH (s:Source) RETURN s.source_id AS id",
        "endless": "UNWIND range(1, 99999) AS a UNWIND range(1, 99999) AS b WITH a + b AS c RETURN max(c) AS n",
    }[name]
    return parse_query(name, f"// A query of the tests.\n{text}\n")


async def main(data: Path, write: bool) -> None:
    """Use the engine."""
    async with (
        embedded_engine(data, heap="256m", java_options=QUICK) as endpoint,
        connect_store(endpoint, queries=queries) as store,
    ):
        pid = json.loads((data / "engine" / "engine.json").read_text())["pid"]
        print(pid, "ready", sep="\n", flush=True)
        if not write:
            ended = asyncio.Event()
            asyncio.get_running_loop().add_reader(sys.stdin, ended.set)
            await ended.wait()
            return
        for n in range(1_000_000):
            await store.write(lambda transaction, n=n: transaction.run("create", id=f"{pid}-{n}"))  # type: ignore[misc]
            print(f"{pid}-{n}", flush=True)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), sys.argv[2:] == ["write"]))
