"""The steps of the demonstration on the console: the current work, then its result, and the time it took."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event
from typing import TypeVar

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn

from graph.demo.errors import DemoError

T = TypeVar("T")


class Steps:
    """Shows steps on a console: as they go on a terminal, a line at the start and end of each elsewhere.

    After `stop` is set no further step begins.
    """

    def __init__(self, progress: Progress, stop: Event) -> None:
        self._progress = progress
        self._stop = stop

    @classmethod
    @contextmanager
    def on(cls, console: Console, stop: Event) -> Iterator["Steps"]:
        """Show steps until the end of the block."""
        columns = (SpinnerColumn(finished_text="✓"), TextColumn("{task.description}"), TimeElapsedColumn())
        # A display that nobody sees is written once, at its end.
        with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
            yield cls(progress, stop)

    def run(self, doing: str, work: Callable[[], T], done: Callable[[T], str]) -> T:
        """Do one piece of work; `done` describes its result in a few words."""
        task = self.begin(doing)
        result = work()
        self.tell(task, done(result), finished=True)
        return result

    def begin(self, doing: str) -> TaskID:
        """Begin a step that reports its own progress."""
        self.check()
        self._write(doing)
        return self._progress.add_task(doing, total=1)

    def tell(self, task: TaskID, doing: str, *, finished: bool = False) -> None:
        """Show the progress of a step from `begin`."""
        self._progress.update(task, description=doing, completed=int(finished))
        if finished:
            self._write(f"✓ {doing}")

    def _write(self, line: str) -> None:
        if not self._progress.console.is_terminal:
            self.say(line)

    def say(self, line: str) -> None:
        """Print a line above the steps."""
        self._progress.console.print(line, markup=False, highlight=False, soft_wrap=True)

    def check(self) -> None:
        """Raise DemoError if `stop` is set."""
        if self._stop.is_set():
            raise DemoError("stopped")
