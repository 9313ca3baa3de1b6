"""The progress of an export, for a person at a terminal."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.filesize import decimal
from rich.progress import BarColumn, TaskProgressColumn, TextColumn

from graph.cli.terminal import progress


@contextmanager
def shown_progress() -> Iterator[Callable[[float, int], None]]:
    """Yield a function that is told the part that was read, from 0 to 1, and the number of bytes written."""
    columns = (TextColumn("Exporting"), BarColumn(), TaskProgressColumn(), TextColumn("{task.fields[written]}"))
    with progress(*columns) as display:
        task = display.add_task("", total=1.0, written="")

        def report(part: float, written: int) -> None:
            display.update(task, completed=part, written=decimal(written))

        yield report
