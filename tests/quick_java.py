"""Options for Java of engines that tests start: what runs for minutes is not worth compiling twice.

A third of the start of an engine is the reading of its classes. `keep_classes` keeps them as they are once they have
been read and linked, in a file beside the clone, from which later engines take them. Without the file, or if it is of
other jars, an engine reads its classes as ever.
"""

import asyncio
import importlib.metadata
import os
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from graph.engine.engine import embedded_engine
from graph.errors import GraphError
from graph.store import connect_store

_VERSION = importlib.metadata.version("arcadedb-embedded")
_CLASSES = Path(__file__).parents[1] / ".pytest_cache" / "d" / f"engine-{_VERSION}.aot"
_ONCE = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")

QUICK = (*_ONCE, f"-XX:AOTCache={_CLASSES}")


def keep_classes() -> None:
    """Keep the classes of an engine, if none are kept yet."""
    if not _CLASSES.exists():
        _CLASSES.parent.mkdir(parents=True, exist_ok=True)
        with suppress(GraphError):  # the tests of an engine that does not start say so
            asyncio.run(_keep_classes())


async def _keep_classes() -> None:
    written = _CLASSES.with_suffix(f".{os.getpid()}")
    options = (*_ONCE, f"-XX:AOTCacheOutput={written}")
    with TemporaryDirectory() as folder:
        async with (
            embedded_engine(Path(folder), heap="512m", java_options=options) as endpoint,
            connect_store(endpoint) as store,
        ):
            await store.write(lambda transaction: transaction.run("open_log"))
            await store.read("log_size")
    if written.exists():  # the engine has written it at its end, unless it was killed
        written.replace(_CLASSES)
