"""Making a pack of an execution log: the manifest, its hash, and the content by reference."""

from collections.abc import Mapping
from dataclasses import dataclass

from a2ap.pack.execution_log import ExecutionLog, check_log
from a2ap.pack.go_json import clean_text
from a2ap.pack.go_time import rewrite_time
from a2ap.pack.manifest import (
    VERSION,
    Environment,
    Input,
    Manifest,
    Model,
    Output,
    Prompt,
    Step,
    hash_content,
    write_manifest,
)


@dataclass(frozen=True, slots=True)
class Pack:
    """A manifest, its bytes and hash, and the content that it names, by hash."""

    manifest: Manifest
    data: bytes
    hash: str
    blobs: Mapping[str, bytes]


def pack_log(log: ExecutionLog, created: str, parent: str = "") -> Pack:
    """Make a pack of a log. The same log and `created` give the same hash.

    Raises ExecutionLogError if the log lacks something, PackTimeError if `created` is not a time.
    """
    check_log(log)
    blobs: dict[str, bytes] = {}

    def keep(content: str | bytes) -> str:
        data = clean_text(content).encode() if isinstance(content, str) else content
        reference = hash_content(data)
        blobs[reference] = data
        return reference

    manifest = Manifest(
        VERSION,
        rewrite_time(created),
        Model(log.model.identifier, log.model.parameters),
        keep(log.system_prompt),
        tuple(Prompt(one.role, keep(one.content)) for one in log.prompts),
        tuple(Input(one.name, reference := keep(one.content), len(blobs[reference])) for one in log.inputs),
        tuple(
            Step(
                one.index,
                one.type,
                one.tool,
                one.parameters,
                keep(one.output) if one.output else "",
                one.deterministic,
                rewrite_time(one.timestamp),
            )
            for one in log.steps
        ),
        tuple(Output(one.name, keep(one.content)) for one in log.outputs),
        Environment(log.environment.os, log.environment.runtime, log.environment.tool_versions),
        parent,
    )
    return pack_of(manifest, blobs)


def pack_of(manifest: Manifest, blobs: Mapping[str, bytes]) -> Pack:
    """Return the pack of a manifest in canonical form, with the content that it names."""
    data = write_manifest(manifest)
    return Pack(manifest, data, hash_content(data), blobs)
