"""Context Packs for the tests: one that is good, and Hypothesis strategies for logs that are anything."""

import json
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from a2ap.pack.check_pack import Held, held_as
from a2ap.pack.execution_log import (
    ExecutionLog,
    LogContent,
    LogEnvironment,
    LogModel,
    LogPrompt,
    LogStep,
)
from a2ap.pack.packing import Pack, pack_log

CREATED = "2026-01-15T10:30:00.5Z"
STEPS = (
    LogStep("tool_call", "read_file", "# Hello", {"path": "readme.md"}, True, "2026-01-15T10:30:00Z", 0),
    LogStep("reasoning", "think", "It greets.", None, False, "2026-01-15T10:30:01Z", 1),
    LogStep("tool_call", "count", "7", {"text": "# Hello"}, True, "2026-01-15T10:30:02Z", 2),
)
LOG = ExecutionLog(
    LogModel("gpt-4", {"temperature": 0.0}),
    "You are helpful.",
    LogEnvironment("linux", "go1.23", {"read_file": "1.0"}),
    (LogPrompt("user", "Summarize this"), LogPrompt("assistant", "Well")),
    (LogContent("readme.md", "# Hello"),),
    STEPS,
    (LogContent("summary.txt", "A greeting."), LogContent("count.txt", "7")),
)


def pack(created: str = CREATED, parent: str = "", **changes: Any) -> Pack:
    return pack_log(replace(LOG, **changes), created, parent)


def held(one: Pack) -> dict[str, Held]:
    return {name: held_as(content) for name, content in one.blobs.items()}


def log_json(log: ExecutionLog = LOG) -> dict[str, Any]:
    """Return a log as upstream's tool reads it."""
    return {
        "model": {"identifier": log.model.identifier, "parameters": log.model.parameters},
        "system_prompt": log.system_prompt,
        "prompts": [{"role": one.role, "content": one.content} for one in log.prompts],
        "inputs": [{"name": one.name, "content": one.content} for one in log.inputs],
        "steps": [
            {name: getattr(step, name) for name in LogStep.__slots__ if name != "parameters" or step.parameters}
            for step in log.steps
        ],
        "outputs": [{"name": one.name, "content": one.content} for one in log.outputs],
        "environment": {
            "os": log.environment.os,
            "runtime": log.environment.runtime,
            "tool_versions": log.environment.tool_versions,
        },
    }


# Texts with all that Go treats in its own way: escapes, halves of surrogate pairs, the ends of planes.
marks = (
    st.sampled_from('<>&"\\/\b\f\n\r\t\x00\x1f\x7f\u2028\u2029\ud800\udead\ufffd\uffff\U0001f600éſK aA')
    | st.characters()
)
texts = st.text(marks, max_size=6)
numbers = (
    st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from([-0.0, 0.0, 1e-6, 9.99e-7, 1e20, 1e21, 5e-324, 1.7976931348623157e308, 2**53 + 1, 0.1])
)
leaves = st.none() | st.booleans() | numbers | texts
values = st.recursive(
    leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3), max_leaves=6
)
parameters = st.none() | st.dictionaries(texts, values, max_size=4)
dates = st.datetimes().map(lambda at: at.isoformat())
zones = st.sampled_from(["Z", "+00:00", "-00:00", "+02:00", "-11:30", "+23:59", "+24:00", "+14:60", "z", ""])
times = st.builds(lambda at, more, zone: at + more + zone, dates, st.sampled_from(["", "0", "000", "123456"]), zones)
required = st.sampled_from(["x", "é", " ", ""]) | texts
steps = st.fixed_dictionaries(
    {"type": required, "tool": required},
    optional={
        "index": st.integers(-(2**63) - 1, 2**63) | numbers,
        "parameters": parameters,
        "output": st.none() | texts,
        "deterministic": st.none() | st.booleans(),
        "timestamp": st.none() | times,
    },
)
contents = st.none() | st.fixed_dictionaries({"name": texts}, optional={"content": st.none() | texts})
logs = st.fixed_dictionaries(
    {
        "model": st.fixed_dictionaries({"identifier": required}, optional={"parameters": parameters}),
        "system_prompt": required,
        "environment": st.fixed_dictionaries(
            {"os": required, "runtime": required},
            optional={"tool_versions": st.none() | st.dictionaries(texts, st.none() | texts, max_size=3)},
        ),
    },
    optional={
        "prompts": st.none()
        | st.lists(st.none() | st.fixed_dictionaries({"role": texts, "content": texts}), max_size=2),
        "inputs": st.none() | st.lists(contents, max_size=2),
        "steps": st.none() | st.lists(steps, max_size=3),
        "outputs": st.none() | st.lists(contents, max_size=2),
    },
)


def to_bytes(value: Any, *, ascii_only: bool) -> bytes:
    """Write JSON with escapes, or raw with halves of pairs as bytes that are not UTF-8."""
    return json.dumps(value, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")
