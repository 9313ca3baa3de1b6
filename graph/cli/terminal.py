"""The output of commands: results go to standard output, everything else to standard error."""

import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any

from rich.console import Console
from rich.progress import Progress, ProgressColumn, TimeElapsedColumn

from a2ap.json_text import write_json

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]+")


@cache
def output() -> Console:
    """Return the console on standard output."""
    return Console(highlight=False)


@cache
def messages() -> Console:
    """Return the console on standard error, for progress and remarks."""
    return Console(stderr=True, highlight=False)


@contextmanager
def waiting(text: str) -> Iterator[None]:
    """Show a person that work is going on."""
    if messages().is_terminal:
        with messages().status(text):
            yield
    else:
        yield


@contextmanager
def progress(*columns: ProgressColumn) -> Iterator[Progress]:
    """Yield a progress display for a person, with the time at its end; a program that reads the output gets none."""
    shown = messages().is_terminal
    with Progress(*columns, TimeElapsedColumn(), console=messages(), transient=True, disable=not shown) as display:
        yield display


def remark(text: str) -> None:
    """Write a line to standard error."""
    print(one_line(text), file=sys.stderr, flush=True)


def say(text: str) -> None:
    """Write a line to standard output."""
    print(one_line(text), flush=True)


def print_document(document: Mapping[str, Any]) -> None:
    """Write a document to standard output, on one line, in UTF-8 with any terminal."""
    sys.stdout.buffer.write(write_json(dict(document)) + b"\n")
    sys.stdout.buffer.flush()


def print_json(value: Any) -> None:
    """Write a result as one JSON object, for programs."""
    sys.stdout.buffer.write(json.dumps(value, ensure_ascii=False, indent=2).encode("utf-8", "replace") + b"\n")
    sys.stdout.buffer.flush()


def one_line(text: str) -> str:
    """Return a text of others as one line that cannot steer a terminal."""
    return _CONTROL.sub(" ", text).strip()


def counted(number: int, noun: str) -> str:
    """Return a number of things in words: `1 finding`, `2,000 findings`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def in_words(names: Sequence[str]) -> str:
    """Return names as a text lists them: `nodes, signatures and tiles`."""
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last
