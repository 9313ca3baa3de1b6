"""The manifest of a Context Pack: its members, its bytes, and its hash, which is the pack's name.

The bytes are canonical as upstream's tool writes them: `"hash":""` stands in them, since no document can hold its own
hash. No known program follows the specification's rule for a populated hash.
"""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from a2ap.pack.go_text import Struct, write_ordered, write_sorted

VERSION = "0.1"


class ManifestForm(StrEnum):
    """How the bytes of a manifest are written."""

    CANONICAL = "canonical"
    # The text that upstream's FinalizeDraft makes: members in the order of its source, so that the hash is another.
    UPSTREAM_FORK = "upstream-fork"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Model:
    """The model that ran, and its parameters."""

    identifier: str
    parameters: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt by reference."""

    role: str
    content_ref: str


@dataclass(frozen=True, slots=True)
class Input:
    """An input by reference; `size` is in bytes."""

    name: str
    content_ref: str
    size: int


@dataclass(frozen=True, slots=True)
class Step:
    """One action; `output_ref` is empty if it produced nothing."""

    index: int
    type: str
    tool: str
    parameters: Mapping[str, Any] | None
    output_ref: str
    deterministic: bool
    timestamp: str


@dataclass(frozen=True, slots=True)
class Output:
    """An output by reference."""

    name: str
    content_ref: str
    context_pack: str = ""


@dataclass(frozen=True, slots=True)
class Environment:
    """The environment in which the agent ran."""

    os: str
    runtime: str
    tool_versions: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Manifest:
    """The manifest of one run; `parent` is empty if it follows none."""

    version: str
    created: str
    model: Model
    system_prompt: str
    prompts: tuple[Prompt, ...]
    inputs: tuple[Input, ...]
    steps: tuple[Step, ...]
    outputs: tuple[Output, ...]
    environment: Environment
    parent: str = ""
    hash: str = ""

    def references(self) -> Iterator[tuple[str, str]]:
        """Yield the path and the hash of every content that is named, in the order of the manifest."""
        yield "system_prompt", self.system_prompt
        for number, prompt in enumerate(self.prompts):
            yield f"prompts[{number}].content_ref", prompt.content_ref
        for number, given in enumerate(self.inputs):
            yield f"inputs[{number}].content_ref", given.content_ref
        for number, step in enumerate(self.steps):
            if step.output_ref:
                yield f"steps[{number}].output_ref", step.output_ref
        for number, output in enumerate(self.outputs):
            yield f"outputs[{number}].content_ref", output.content_ref

    @property
    def blobs(self) -> tuple[str, ...]:
        """Return the hash of every content that is named, each once."""
        return tuple(dict.fromkeys(reference for _, reference in self.references()))


def write_manifest(manifest: Manifest, form: ManifestForm = ManifestForm.CANONICAL) -> bytes:
    """Write the bytes of a manifest in one of its two known forms."""
    members = _members(manifest)
    return write_sorted(members) if form is ManifestForm.CANONICAL else write_ordered(members)


def write_indented(manifest: Manifest) -> bytes:
    """Write a manifest as a draft that people edit, as upstream's `ctx fork` does."""
    return write_ordered(_members(manifest), indent=2)


def hash_content(data: bytes) -> str:
    """Return the name of content: `sha256:` and its digest."""
    return f"sha256:{hashlib.sha256(data).hexdigest()}"


def _members(manifest: Manifest) -> Struct:
    members = Struct(
        version=manifest.version,
        hash=manifest.hash,
        created=manifest.created,
        model=Struct(identifier=manifest.model.identifier, parameters=manifest.model.parameters),
        system_prompt=manifest.system_prompt,
        prompts=[Struct(role=one.role, content_ref=one.content_ref) for one in manifest.prompts],
        inputs=[Struct(name=one.name, content_ref=one.content_ref, size=one.size) for one in manifest.inputs],
        steps=[_step(one) for one in manifest.steps],
        outputs=[_output(one) for one in manifest.outputs],
        environment=Struct(
            os=manifest.environment.os,
            runtime=manifest.environment.runtime,
            tool_versions=manifest.environment.tool_versions,
        ),
    )
    if manifest.parent:
        members["parent"] = manifest.parent
    return members


def _step(step: Step) -> Struct:
    return Struct(
        index=step.index,
        type=step.type,
        tool=step.tool,
        parameters=step.parameters,
        output_ref=step.output_ref,
        deterministic=step.deterministic,
        timestamp=step.timestamp,
    )


def _output(output: Output) -> Struct:
    members = Struct(name=output.name, content_ref=output.content_ref)
    if output.context_pack:
        members["context_pack"] = output.context_pack
    return members
