"""The drift between two packs: prompts, inputs, tools, parameters, reasoning, outputs, model and environment.

Names and members are upstream's, whose diff knows nothing of models, environments, inputs and the order of outputs.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from a2ap.pack.go_text import write_sorted
from a2ap.pack.manifest import Manifest, Output, Step


class DriftType(StrEnum):
    """The kinds of difference."""

    PROMPT = "prompt_drift"
    INPUT = "input_drift"
    TOOL = "tool_drift"
    PARAMETER = "param_drift"
    REASONING = "reasoning_drift"
    OUTPUT = "output_drift"
    MODEL = "model_drift"
    ENVIRONMENT = "environment_drift"


@dataclass(frozen=True, slots=True)
class Drift:
    """One difference: in words, and as the value in each pack, `None` for nothing."""

    type: DriftType
    words: str
    first: Any
    second: Any
    step: int | None = None

    def members(self) -> dict[str, Any]:
        """Return the members of the difference in upstream's report."""
        found: dict[str, Any] = {"type": str(self.type), "description": self.words}
        if self.step is not None:
            found["step_index"] = self.step
        sides = {"pack_a": self.first, "pack_b": self.second}
        return found | {name: value for name, value in sides.items() if value is not None}


def compare_packs(first: Manifest, second: Manifest) -> tuple[Drift, ...]:
    """Return all differences, in the order in which a run goes; the time of making is not one."""
    return (
        *_models(first, second),
        *_environments(first, second),
        *_prompts(first, second),
        *_inputs(first, second),
        *_steps(first, second),
        *_outputs(first, second),
    )


def _models(first: Manifest, second: Manifest) -> Iterator[Drift]:
    if first.model.identifier != second.model.identifier:
        yield Drift(DriftType.MODEL, "Another model", first.model.identifier, second.model.identifier)
    yield from _entries(DriftType.MODEL, "Model parameter", first.model.parameters, second.model.parameters)


def _environments(first: Manifest, second: Manifest) -> Iterator[Drift]:
    one, other = first.environment, second.environment
    if one.os != other.os:
        yield Drift(DriftType.ENVIRONMENT, "Another operating system", one.os, other.os)
    if one.runtime != other.runtime:
        yield Drift(DriftType.ENVIRONMENT, "Another runtime", one.runtime, other.runtime)
    yield from _entries(DriftType.ENVIRONMENT, "Version of tool", one.tool_versions, other.tool_versions)


def _prompts(first: Manifest, second: Manifest) -> Iterator[Drift]:
    if first.system_prompt != second.system_prompt:
        yield Drift(DriftType.PROMPT, "Another system prompt", first.system_prompt, second.system_prompt)
    for number, (one, other) in enumerate(zip(first.prompts, second.prompts, strict=False)):
        if one.role != other.role:
            yield Drift(DriftType.PROMPT, f"Prompt {number}: another role", one.role, other.role)
        if one.content_ref != other.content_ref:
            words = f"Prompt {number}: another content (role {one.role})"
            yield Drift(DriftType.PROMPT, words, one.content_ref, other.content_ref)
    for number in range(len(second.prompts), len(first.prompts)):
        yield Drift(DriftType.PROMPT, f"Prompt {number}: removed", first.prompts[number].content_ref, None)
    for number in range(len(first.prompts), len(second.prompts)):
        yield Drift(DriftType.PROMPT, f"Prompt {number}: added", None, second.prompts[number].content_ref)


def _inputs(first: Manifest, second: Manifest) -> Iterator[Drift]:
    one = [(given.name, given.content_ref) for given in first.inputs]
    other = [(given.name, given.content_ref) for given in second.inputs]
    yield from _named(DriftType.INPUT, "Input", one, other)


def _outputs(first: Manifest, second: Manifest) -> Iterator[Drift]:
    yield from _named(DriftType.OUTPUT, "Output", _pairs(first.outputs), _pairs(second.outputs))


def _pairs(outputs: tuple[Output, ...]) -> list[tuple[str, str]]:
    return [(output.name, output.content_ref) for output in outputs]


def _named(kind: DriftType, word: str, first: list[tuple[str, str]], second: list[tuple[str, str]]) -> Iterator[Drift]:
    one, other = _grouped(first), _grouped(second)
    for name in dict.fromkeys((*one, *other)):
        before, after = one.get(name), other.get(name)
        if before is None:
            yield Drift(kind, f"{word} {name}: added", None, _shown(after))
        elif after is None:
            yield Drift(kind, f"{word} {name}: removed", _shown(before), None)
        elif before != after:
            yield Drift(kind, f"{word} {name}: another content", _shown(before), _shown(after))
    names, names_after = [name for name, _ in first], [name for name, _ in second]
    if names != names_after and sorted(names) == sorted(names_after):
        yield Drift(kind, f"{word}s in another order", names, names_after)


def _grouped(pairs: list[tuple[str, str]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, reference in pairs:
        found.setdefault(name, []).append(reference)
    return found


def _shown(references: list[str] | None) -> Any:
    return references[0] if references is not None and len(references) == 1 else references


def _steps(first: Manifest, second: Manifest) -> Iterator[Drift]:
    # Aligned by their places, as upstream does.
    for number, (one, other) in enumerate(zip(first.steps, second.steps, strict=False)):
        yield from _step(number, one, other)
    for number in range(len(second.steps), len(first.steps)):
        tool = first.steps[number].tool
        yield Drift(DriftType.TOOL, f"Step {number}: {tool} removed", tool, None, number)
    for number in range(len(first.steps), len(second.steps)):
        tool = second.steps[number].tool
        yield Drift(DriftType.TOOL, f"Step {number}: {tool} added", None, tool, number)


def _step(number: int, one: Step, other: Step) -> Iterator[Drift]:
    if (one.tool, one.type) != (other.tool, other.type):
        before, after = f"{one.type} {one.tool}", f"{other.type} {other.tool}"
        yield Drift(DriftType.TOOL, f"Step {number}: another tool", before, after, number)
        return  # the input and output of another tool are not compared
    if not same_values(one.parameters, other.parameters):
        words = f"Step {number}: {one.tool} with other parameters"
        yield Drift(DriftType.PARAMETER, words, one.parameters, other.parameters, number)
    if one.deterministic != other.deterministic:
        words = f"Step {number}: {one.tool} claims another determinism"
        yield Drift(DriftType.TOOL, words, one.deterministic, other.deterministic, number)
    if one.output_ref != other.output_ref:
        words = f"Step {number}: {one.tool} returned something else"
        yield Drift(DriftType.REASONING, words, one.output_ref, other.output_ref, number)


def same_values(one: Mapping[str, Any] | None, other: Mapping[str, Any] | None) -> bool:
    """Say whether two sets of parameters are written alike; None and empty count as the same."""
    return write_sorted(one or {}) == write_sorted(other or {})


def _entries(
    kind: DriftType, word: str, first: Mapping[str, Any] | None, second: Mapping[str, Any] | None
) -> Iterator[Drift]:
    one, other = first or {}, second or {}
    for name in sorted({*one, *other}):
        if name not in other:
            yield Drift(kind, f"{word} {name}: removed", one[name], None)
        elif name not in one:
            yield Drift(kind, f"{word} {name}: added", None, other[name])
        elif write_sorted(one[name]) != write_sorted(other[name]):
            yield Drift(kind, f"{word} {name}: changed", one[name], other[name])
