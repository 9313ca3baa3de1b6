"""Replaying a pack without running anything: each recorded step is compared with all records of the same call.

A step that claims to be deterministic has one output for one tool, version, environment and parameters. So its claim is
confirmed, or refuted, by other steps with the same call, in this pack or in others, and for `read_file` by the input of
that name. No path is opened and no tool is run because a pack says so: a pack can be written by anybody.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from a2ap.pack.check_pack import Held
from a2ap.pack.go_text import write_sorted
from a2ap.pack.manifest import Environment, Manifest, Step

Outputs = dict[str, list[str]]
"""The outputs of one call in the order in which they were found, each with the first two places that have it."""


class StepStatus(StrEnum):
    """The result for a step."""

    CONFIRMED = "confirmed"  # the same call gave the same output elsewhere
    REFUTED = "refuted"  # it claims to be deterministic, and the same call gave something else
    UNCHECKED = "unchecked"  # it claims to be deterministic, and nothing is here to compare with
    NOT_CLAIMED = "not-claimed"
    LOST = "lost"  # its output is missing or altered


class Fidelity(StrEnum):
    """The result for the whole run; `unchecked` is ours, the rest upstream's words."""

    EXACT = "exact"
    UNCHECKED = "unchecked"
    DEGRADED = "degraded"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class StepReplay:
    """The result for one step, with the records that it was compared with in `words`."""

    step: Step
    status: StepStatus
    words: str


@dataclass(frozen=True, slots=True)
class Here:
    """The environment in which a replay would run: members that are None are not compared."""

    os: str | None = None
    runtime: str | None = None
    tool_versions: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Replay:
    """The results of a replay."""

    steps: tuple[StepReplay, ...]
    drift: tuple[str, ...]
    fidelity: Fidelity


def replay_pack(
    manifest: Manifest,
    held: Mapping[str, Held],
    others: Sequence[tuple[str, Manifest]] = (),
    here: Here | None = None,
) -> Replay:
    """Compare a pack's steps with the records of the same calls in it and in other packs, by their names."""
    own = set(map(_record, manifest.steps))
    recorded: dict[bytes, Outputs] = {}
    for name, other in (("this pack", manifest), *others):
        for position, step in enumerate(other.steps):
            # A fork has the steps of its parent in it: a copy of a record confirms nothing.
            if step.deterministic and (other is manifest or _record(step) not in own):
                place = f"step {position} of {name}"
                _note(recorded.setdefault(_call(step, other.environment), {}), step.output_ref, place)
    inputs: dict[str, Outputs] = {}
    for given in manifest.inputs:
        _note(inputs.setdefault(given.name, {}), given.content_ref, f"the input {given.name[:80]}")
    steps = tuple(
        _replay_step(position, step, manifest, held, (recorded, inputs)) for position, step in enumerate(manifest.steps)
    )
    drift = (*_lost_inputs(manifest, held), *_environment_drift(manifest.environment, here or Here()))
    return Replay(steps, drift, _fidelity({step.status for step in steps}))


def _note(outputs: Outputs, output: str, place: str) -> None:
    # A step asks for a place that is not its own, so that two are enough, however often a call was made.
    places = outputs.setdefault(output, [])
    if len(places) < 2:
        places.append(place)


def _call(step: Step, environment: Environment) -> bytes:
    # Another version of the tool or another system may answer otherwise and still be deterministic.
    version = (environment.tool_versions or {}).get(step.tool)
    place: list[Any] = [step.type, step.tool, version, environment.os, environment.runtime, step.parameters or {}]
    return write_sorted(place)


def _record(step: Step) -> bytes:
    return write_sorted([step.type, step.tool, step.parameters or {}, step.output_ref, step.timestamp])


def _replay_step(
    position: int,
    step: Step,
    manifest: Manifest,
    held: Mapping[str, Held],
    known: tuple[Mapping[bytes, Outputs], Mapping[str, Outputs]],
) -> StepReplay:
    if step.output_ref and not _is_whole(step.output_ref, held):
        return StepReplay(step, StepStatus.LOST, f"its output {step.output_ref[:80]} is missing or altered")
    if not step.deterministic:
        return StepReplay(step, StepStatus.NOT_CLAIMED, "it does not claim to be deterministic")
    own = f"step {position} of this pack"
    recorded, inputs = known
    path = (step.parameters or {}).get("path")
    read = inputs.get(path) if step.tool == "read_file" and isinstance(path, str) else None
    compared = [recorded[_call(step, manifest.environment)], read or {}]
    for outputs in compared:
        for output, places in outputs.items():
            if output != step.output_ref:
                return StepReplay(step, StepStatus.REFUTED, f"{places[0]} has another output for the same call")
    for outputs in compared:
        for place in outputs.get(step.output_ref, ()):
            if place != own:
                return StepReplay(step, StepStatus.CONFIRMED, f"{place} has the same output for the same call")
    return StepReplay(step, StepStatus.UNCHECKED, "no other record of the same call is here")


def _lost_inputs(manifest: Manifest, held: Mapping[str, Held]) -> Iterator[str]:
    for given in manifest.inputs:
        if not _is_whole(given.content_ref, held):
            yield f"input {given.name[:80]} is missing or altered"


def _environment_drift(recorded: Environment, here: Here) -> Iterator[str]:
    if here.os is not None and recorded.os != here.os:
        yield f"recorded on {recorded.os}, here is {here.os}"
    if here.runtime is not None and recorded.runtime != here.runtime:
        yield f"recorded with {recorded.runtime}, here is {here.runtime}"
    for tool, version in (here.tool_versions or {}).items():
        before = (recorded.tool_versions or {}).get(tool)
        if before is not None and before != version:
            yield f"recorded with {tool} {before}, here is {version}"


def _is_whole(reference: str, held: Mapping[str, Held]) -> bool:
    content = held.get(reference)
    return content is not None and content.hash == reference


def _fidelity(found: Collection[StepStatus]) -> Fidelity:
    if StepStatus.LOST in found:
        return Fidelity.FAILED
    if StepStatus.REFUTED in found:
        return Fidelity.DEGRADED
    # A step that was not compared is not exact, and a run without any claim has nothing that could be.
    return Fidelity.EXACT if StepStatus.CONFIRMED in found and StepStatus.UNCHECKED not in found else Fidelity.UNCHECKED
