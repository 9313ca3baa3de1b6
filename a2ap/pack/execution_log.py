"""Execution logs: the inputs, actions and outputs of an agent, of which a Context Pack is made."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from a2ap.pack.errors import ExecutionLogError, FieldError, PackTextError
from a2ap.pack.go_fields import Kind, ListOf, Object, read_members
from a2ap.pack.go_json import read_first
from a2ap.pack.go_time import NO_TIME

MAX_BYTES = 64 * 1_048_576

_CONTENT = {"content": Kind.TEXT}
LOG_SHAPE = Object(
    {
        "model": Object({"identifier": Kind.TEXT, "parameters": Kind.VALUES}),
        "system_prompt": Kind.TEXT,
        "prompts": ListOf(Object({"role": Kind.TEXT, **_CONTENT})),
        "inputs": ListOf(Object({"name": Kind.TEXT, **_CONTENT})),
        "steps": ListOf(
            Object(
                {
                    "index": Kind.INTEGER,
                    "type": Kind.TEXT,
                    "tool": Kind.TEXT,
                    "parameters": Kind.VALUES,
                    "output": Kind.TEXT,
                    "deterministic": Kind.TRUTH,
                    "timestamp": Kind.TIME,
                }
            )
        ),
        "outputs": ListOf(Object({"name": Kind.TEXT, **_CONTENT})),
        "environment": Object({"os": Kind.TEXT, "runtime": Kind.TEXT, "tool_versions": Kind.TEXTS}),
    }
)


@dataclass(frozen=True, slots=True)
class LogPrompt:
    """A prompt and its role, such as user or assistant."""

    role: str
    content: str | bytes


@dataclass(frozen=True, slots=True)
class LogContent:
    """An input or an output under its name."""

    name: str
    content: str | bytes


@dataclass(frozen=True, slots=True)
class LogStep:
    """One atomic action: a call of a tool, or a step of reasoning."""

    type: str
    tool: str
    output: str | bytes = ""
    parameters: Mapping[str, Any] | None = None
    deterministic: bool = False
    timestamp: str = NO_TIME
    index: int = 0


@dataclass(frozen=True, slots=True)
class LogModel:
    """The model and its parameters."""

    identifier: str
    parameters: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class LogEnvironment:
    """The environment in which the agent ran."""

    os: str
    runtime: str
    tool_versions: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True)
class ExecutionLog:
    """One run of an agent."""

    model: LogModel
    system_prompt: str | bytes
    environment: LogEnvironment
    prompts: Sequence[LogPrompt] = ()
    inputs: Sequence[LogContent] = ()
    steps: Sequence[LogStep] = ()
    outputs: Sequence[LogContent] = ()


def read_log(data: bytes) -> ExecutionLog:
    """Read an execution log as upstream's tool does. Raises PackTextError and ExecutionLogError."""
    if len(data) > MAX_BYTES:
        raise PackTextError(f"the execution log has {len(data)} bytes, more than {MAX_BYTES}")
    try:
        members = read_members(LOG_SHAPE, read_first(data))
    except FieldError as error:
        raise ExecutionLogError(f"the execution log: {error}") from error
    log = ExecutionLog(
        LogModel(**members["model"]),
        members["system_prompt"],
        LogEnvironment(**members["environment"]),
        tuple(LogPrompt(**item) for item in members["prompts"] or ()),
        tuple(LogContent(**item) for item in members["inputs"] or ()),
        tuple(LogStep(**item) for item in members["steps"] or ()),
        tuple(LogContent(**item) for item in members["outputs"] or ()),
    )
    check_log(log)
    return log


def check_log(log: ExecutionLog) -> None:
    """Check that a log has all members that upstream requires. Raises ExecutionLogError with the missing ones."""
    asked = {
        "model.identifier": log.model.identifier,
        "system_prompt": log.system_prompt,
        "environment.os": log.environment.os,
        "environment.runtime": log.environment.runtime,
    }
    for number, step in enumerate(log.steps):
        asked |= {f"steps[{number}].tool": step.tool, f"steps[{number}].type": step.type}
    for number, output in enumerate(log.outputs):
        asked[f"outputs[{number}].name"] = output.name
    if missing := [name for name, value in asked.items() if not value]:
        raise ExecutionLogError(f"the execution log lacks required fields: {', '.join(missing[:40])}")
