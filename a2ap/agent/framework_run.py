"""Runs that a framework reports, as Context Packs: the models asked, tools, retrieved documents, claims and errors.

The report is the word of the framework. The pack says so (`assurance`), and nothing in it is verified. Contents are
recorded by hash and length, unless the recording asks for them in full. Errors are recorded by type, without words.
"""

import hashlib
import json
import math
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from threading import Lock
from typing import Any

from a2ap.agent.runs import MAX_CONTENT, MAX_CONTENTS, hash_and_length
from a2ap.boundary import Boundary
from a2ap.client.answers import Receipt
from a2ap.pack.execution_log import ExecutionLog, LogContent, LogEnvironment, LogModel, LogPrompt, LogStep
from a2ap.pack.packing import Pack, pack_log
from a2ap.times import format_instant

ASSURANCE = "stated by the framework, not verified"


class Contents(StrEnum):
    """The form in which a pack has prompts, completions, inputs, outputs and documents."""

    HASHES = "hashes"
    FULL = "full"


@dataclass(frozen=True, slots=True)
class Recording:
    """The recording of runs: the framework with its version, the form of contents, and the class of the packs."""

    framework: str
    version: str
    contents: Contents
    boundary: Boundary

    @classmethod
    def stated(
        cls, framework: str, version: str, contents: Contents | str, boundary: Boundary | str | None
    ) -> "Recording":
        """Return a recording; raises `ValueError` for full contents without a class, and for names that are none.

        Prompts and tools often have private data, so their class is never a default.
        """
        form = Contents(contents)
        if form is Contents.FULL and boundary is None:
            raise ValueError("contents is 'full' without a boundary: state the class of the readers")
        return cls(framework, version, form, Boundary(boundary or Boundary.PUBLIC))


@dataclass(slots=True)
class _Step:
    type: str
    tool: str
    began: datetime
    parameters: dict[str, Any]
    output: bytes | str = ""


@dataclass(slots=True)
class FrameworkRun:
    """A run under way; `began` is the time of its first step. Threads may report to it at once.

    Steps have the ids that the framework gives them, and stand in the order of their beginnings.
    """

    recording: Recording
    name: str
    trace: Mapping[str, str] = field(default_factory=dict)
    _steps: dict[str, _Step] = field(default_factory=dict)
    _inputs: list[LogContent] = field(default_factory=list)
    _prompts: dict[tuple[str, str], LogPrompt] = field(default_factory=dict)
    _outputs: list[LogContent] = field(default_factory=list)
    _models: dict[str, None] = field(default_factory=dict)
    _parent: str = ""
    _room: int = MAX_CONTENTS
    _lock: Lock = field(default_factory=Lock)

    def begin(self, step: str, kind: str, tool: str, at: datetime, **about: Any) -> None:
        """Begin a step of a kind, such as `tool_call`; `about` are its parameters."""
        with self._lock:
            parameters = {"run": step, **_stated(about), "status": "running"}
            self._steps[step] = _Step(kind, tool or kind, at, parameters)

    def take_input(self, step: str, name: str, value: Any) -> None:
        """Record an input of a step; the step names it."""
        with self._lock:
            number = list(self._steps).index(step)
            full = f"step {number} {name}"
            self._inputs.append(LogContent(full, self._kept(value)))
            self._steps[step].parameters.setdefault("inputs", []).append(full)

    def ask(self, step: str, model: str, messages: Sequence[tuple[str, Any]]) -> None:
        """Record the messages, by role, with which a step asks a model; the step names them by hash."""
        with self._lock:
            if model:
                self._models[model] = None
            asked = []
            for role, content in messages:
                data = bytes_of(content)
                name = f"sha256:{hashlib.sha256(data).hexdigest()}"
                asked.append(name)
                if (role, name) not in self._prompts:
                    self._prompts[role, name] = LogPrompt(role, self._kept(data))
            self._steps[step].parameters["prompts"] = asked

    def end(self, step: str, at: datetime, output: Any = None, **about: Any) -> None:
        """End a step, with its output; `about` are further parameters, such as the tokens used."""
        with self._lock:
            self._close(step, at, "completed", about)
            if output is not None:
                self._steps[step].output = self._kept(output)

    def fail(self, step: str, at: datetime, error: str, output: Any = None) -> None:
        """End a step by an error of a type, with the output that there is."""
        with self._lock:
            self._close(step, at, "failed", {"error": error})
            if output is not None:
                self._steps[step].output = self._kept(output)

    def add_claim(self, receipt: Receipt, at: datetime, parent: str | None = None) -> None:
        """Take a claim that was made within the run, in the step `parent`."""
        about = {"id": receipt.id, "signedHash": receipt.signed_hash, "documentHash": receipt.document_hash}
        self.take_claim({**about, "parent": parent}, at)

    def take_claim(self, about: Mapping[str, Any], at: datetime) -> None:
        """Take a claim by the `id` and hashes of its statement."""
        with self._lock:
            parameters = _stated(about)
            self._steps[f"claim {len(self._steps)}"] = _Step("claim", "a2ap.claim", at, parameters)

    def take_output(self, value: Any) -> None:
        """Record the result of the run."""
        with self._lock:
            self._outputs.append(LogContent("result", self._kept(value)))

    def follow(self, pack: Pack) -> None:
        """Have the later packs of the run follow this one, which a node has."""
        with self._lock:
            self._parent = pack.hash

    def pack(self, at: datetime) -> Pack:
        """Return the pack of the run as it is now: steps that have not ended are `running`."""
        with self._lock:
            recording = self.recording
            framework = f"{recording.framework} {recording.version}"
            by = {"recordedBy": framework, "assurance": ASSURANCE, "contents": recording.contents.value, **self.trace}
            log = ExecutionLog(
                LogModel(", ".join(self._models) or f"no model ({framework})", by),
                f"Run {self.name}. Recorded from the report of {framework}: {ASSURANCE}.",
                LogEnvironment(
                    platform.system().lower(),
                    f"python{platform.python_version()}",
                    {recording.framework: recording.version},
                ),
                tuple(self._prompts.values()),
                tuple(self._inputs),
                tuple(_written(one, number) for number, one in enumerate(self._steps.values())),
                tuple(self._outputs),
            )
            return pack_log(log, format_instant(at), self._parent)

    def _close(self, step: str, at: datetime, status: str, about: Mapping[str, Any]) -> None:
        self._steps[step].parameters |= {**_stated(about), "status": status, "ended": format_instant(at)}

    def _kept(self, value: Any) -> bytes | str:
        """Return content as the recording keeps it, or its hash and length."""
        data = bytes_of(value)
        if self.recording.contents is Contents.HASHES or len(data) > min(self._room, MAX_CONTENT):
            return hash_and_length(data)
        self._room -= len(data)
        return data


def bytes_of(value: Any) -> bytes:
    """Return the bytes that are hashed of a value: of a text its UTF-8, of another value its JSON, as far as it has."""
    if isinstance(value, bytes):
        return value
    text = value if isinstance(value, str) else _json(value)
    return text.encode(errors="backslashreplace")


def type_of(error: BaseException) -> str:
    """Return the full name of an error's type."""
    return f"{type(error).__module__}.{type(error).__qualname__}"


def _json(value: Any) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)
    except (TypeError, ValueError, RecursionError):
        return repr(value)


def _stated(about: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _parameter(value) for name, value in about.items() if value is not None}


def _parameter(value: Any) -> Any:
    """Return a value that a manifest can have as a parameter: frameworks report any."""
    if isinstance(value, list):
        return [_parameter(one) for one in value]
    is_number = isinstance(value, (bool, int)) or (isinstance(value, float) and math.isfinite(value))
    return value if is_number or type(value) is str else str(value)


def _written(step: _Step, index: int) -> LogStep:
    # A copy: the step goes on after a pack was made of it.
    parameters = {name: list(one) if isinstance(one, list) else one for name, one in step.parameters.items()}
    return LogStep(step.type, step.tool, step.output, parameters, False, format_instant(step.began), index)
