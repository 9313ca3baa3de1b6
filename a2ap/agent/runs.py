"""Runs of functions as Context Packs: the arguments, the result, the claims made, and the times, by hash and content.

A claim that is made within a run names the pack of the run as it began: the function, its inputs, and the time. The
pack of the run as it ended follows that pack (`parent`), with the result and the claims. A run without claims is one
pack. Values are recorded as they are if they are bytes, texts or files, as their reference if they are receipts or
large, and as JSON otherwise.
"""

import inspect
import json
import platform
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from a2ap.agent.content import Content, FileContent, digests_of
from a2ap.agent.quotes import Source
from a2ap.boundary import Boundary
from a2ap.canonical import sha256_digest
from a2ap.client.answers import Receipt
from a2ap.errors import A2APError
from a2ap.messages.reference import Reference
from a2ap.pack.execution_log import ExecutionLog, LogContent, LogEnvironment, LogModel, LogStep
from a2ap.pack.packing import Pack, pack_log
from a2ap.times import format_instant

MAX_CONTENT = 4 * 2**20
"""The most bytes of one value in a pack; a longer one is recorded by its hash and length."""

MAX_CONTENTS = 32 * 2**20
"""The most bytes of all values in a pack."""


class RunError(A2APError):
    """A run cannot be recorded: an argument or result is none that a pack can have.

    Raised before the function is called for its arguments. Raised for its result afterwards, it has the `result`.
    """

    def __init__(self, message: str, result: Any = None) -> None:
        super().__init__(message)
        self.result = result


class RunWarning(UserWarning):
    """The pack of a run was not taken: it waits for `flush`, the node has refused it, or it could not be kept."""


@dataclass(frozen=True, slots=True)
class RunOptions:
    """The recording of a function's runs.

    `inputs` are the names of the parameters that are recorded, None for all. `outputs` turns the result into the value
    that is recorded. `model` names the model that the function uses, and `boundary` is the class of the packs.
    """

    inputs: tuple[str, ...] | None = None
    outputs: Callable[[Any], Any] | None = None
    model: str | None = None
    boundary: Boundary = Boundary.PUBLIC


class Recorded:
    """A function whose runs are recorded; raises `TypeError` and `ValueError` for one that cannot be."""

    def __init__(self, function: Callable[..., Any], options: RunOptions, *, asynchronous: bool) -> None:
        if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
            raise TypeError(f"{function.__qualname__} is a generator, and a run ends with one result")
        if inspect.iscoroutinefunction(function) != asynchronous:
            kinds = ("a coroutine function", "Agent") if not asynchronous else ("no coroutine function", "AsyncAgent")
            raise TypeError(f"{function.__qualname__} is {kinds[0]}, which {kinds[1]}.provenance does not record")
        self.name = f"{function.__module__}.{function.__qualname__}"
        self.options = options
        self._signature = inspect.signature(function)
        for name in options.inputs or ():
            if name not in self._signature.parameters:
                raise ValueError(f"inputs names {name!r}, which is no parameter of {self.name}")
        try:
            text = inspect.getsource(function)
        except (OSError, TypeError):
            text = None
        self.source = None if text is None else sha256_digest(text.encode())

    def begin(self, arguments: tuple[Any, ...], named: Mapping[str, Any], at: datetime) -> "Run":
        """Return the run of a call; raises `RunError` for arguments that cannot be recorded."""
        bound = self._signature.bind(*arguments, **named)
        bound.apply_defaults()
        inputs = []
        room = MAX_CONTENTS
        for name, value in bound.arguments.items():
            if self.options.inputs is None or name in self.options.inputs:
                content = _content_of(value, f"the argument {name!r} of {self.name}", room)
                room -= len(content)
                inputs.append(LogContent(name, content))
        return Run(self, tuple(inputs), at, room)


@dataclass(slots=True)
class Run:
    """A run of a function: its inputs, its beginning, and the claims made so far."""

    recorded: Recorded
    inputs: tuple[LogContent, ...]
    began: datetime
    room: int
    claims: list[LogStep] = field(default_factory=list)
    beginning: Pack | None = None
    is_sent: bool = False

    def begun(self) -> Pack:
        """Return the pack of the run as it began, which claims name."""
        if self.beginning is None:
            self.beginning = self._pack((self._call(),), (), self.began, "")
        return self.beginning

    def add_claim(self, receipt: Receipt, document: bytes | None, at: datetime) -> None:
        """Take a claim that was made within the run; `document` is the signed statement."""
        about = {"id": receipt.id, "signedHash": receipt.signed_hash, "documentHash": receipt.document_hash}
        index = len(self.claims) + 1
        self.claims.append(LogStep("claim", "a2ap.claim", document or "", about, False, format_instant(at), index))

    def ended(self, result: Any, at: datetime) -> Pack:
        """Return the pack of the run with its result; raises `RunError` for one that cannot be recorded."""
        value = self._recorded_value(result)
        content = _content_of(value, f"the result of {self.recorded.name}", self.room, result)
        return self._final(LogContent("result", content), {"status": "completed"}, at)

    def _recorded_value(self, result: Any) -> Any:
        outputs = self.recorded.options.outputs
        if outputs is None:
            return result
        try:
            return outputs(result)
        except Exception as error:
            told = f"the function `outputs` of {self.recorded.name} raised {type(error).__qualname__}: {error}"
            raise RunError(told, result) from error

    def failed(self, error: BaseException, at: datetime) -> Pack:
        """Return the pack of a run that raised an error, with the type of the error and without its words."""
        kind = f"{type(error).__module__}.{type(error).__qualname__}"
        about = {"status": "failed", "error": kind}
        return self._final(LogContent("error", _json({"type": kind})), about, at)

    def _final(self, output: LogContent, about: dict[str, str], at: datetime) -> Pack:
        end = LogStep("function_end", self.recorded.name, output.content, about, False, format_instant(at))
        steps = (self._call(), *self.claims, end)
        numbered = tuple(_numbered(step, index) for index, step in enumerate(steps))
        parent = "" if self.beginning is None or not self.is_sent else self.beginning.hash
        return self._pack(numbered, (output,), at, parent)

    def _call(self) -> LogStep:
        about = {} if self.recorded.source is None else {"source": self.recorded.source}
        return LogStep("function_call", self.recorded.name, "", about, False, format_instant(self.began))

    def _pack(self, steps: Sequence[LogStep], outputs: tuple[LogContent, ...], at: datetime, parent: str) -> Pack:
        recorded = self.recorded
        by = "" if recorded.source is None else f", whose source text has the hash {recorded.source}"
        log = ExecutionLog(
            LogModel(recorded.options.model or f"function {recorded.name}"),
            f"Run the function {recorded.name}{by}.",
            LogEnvironment(platform.system().lower(), f"python{platform.python_version()}"),
            (),
            self.inputs,
            tuple(steps),
            outputs,
        )
        return pack_log(log, format_instant(at), parent)


_under_way: ContextVar[tuple[str, Run] | None] = ContextVar("_under_way", default=None)


@contextmanager
def under_way(agent_id: str, run: Run) -> Iterator[None]:
    """Have the claims that an agent makes in this block belong to a run."""
    token = _under_way.set((agent_id, run))
    try:
        yield
    finally:
        _under_way.reset(token)


def run_of(agent_id: str) -> Run | None:
    """Return the run of an agent under way, None if there is none."""
    found = _under_way.get()
    return found[1] if found is not None and found[0] == agent_id else None


def _numbered(step: LogStep, index: int) -> LogStep:
    return LogStep(step.type, step.tool, step.output, step.parameters, step.deterministic, step.timestamp, index)


def _content_of(value: Any, place: str, room: int, result: Any = None) -> bytes | str:
    """Return a value as the content of a pack; `place` names it in the error, which has the `result`."""
    if isinstance(value, Path):
        try:
            content: bytes | FileContent = FileContent(value.open("rb"))
        except OSError as error:
            raise RunError(f"{place} is the path {value}, which cannot be read: {error.strerror}", result) from error
    elif isinstance(value, Source):
        content = value.content
    elif isinstance(value, bytes):
        content = value
    elif isinstance(value, str):
        content = _text(value, place, result)
    else:
        content = _text(_as_json(value, place, result), place, result)
    if len(content) > min(room, MAX_CONTENT):
        return hash_and_length(content)
    return content[:]


def hash_and_length(content: Content) -> str:
    """Return the JSON object that stands in a pack for content that is not recorded."""
    return _json({"sha256": digests_of(content, "")[0].removeprefix("sha256:"), "length": len(content)})


def _text(value: str, place: str, result: Any) -> bytes:
    try:
        return value.encode()
    except UnicodeEncodeError as error:
        raise RunError(f"{place} is no text: it has a lone surrogate", result) from error


def _as_json(value: Any, place: str, result: Any) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, sort_keys=True, allow_nan=False, default=_named)
    except (TypeError, ValueError, RecursionError) as error:
        told = "neither bytes, text, a path, a source, a receipt nor a JSON value"
        raise RunError(f"{place} is {type(value).__qualname__}, {told}: {error}", result) from error


def _named(value: Any) -> Any:
    """Return the name of a value that is no JSON value itself."""
    if isinstance(value, Source):
        return {"id": value.id, "documentHash": value.document_hash}
    if isinstance(value, Receipt):
        return {"id": value.id, "signedHash": value.signed_hash, "logIndex": value.log_index}
    if isinstance(value, Reference):
        return {"id": value.id, "signedHash": value.target_hash}
    raise TypeError(f"{type(value).__qualname__} is no JSON value")


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
