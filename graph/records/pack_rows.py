"""Rows of Context Packs: a run as an activity, the content that it used and generated, and its steps in their order.

The graph has no content, no name of an input or output and no parameter of a step: those are in the bytes, which are
given out under their class. Content is a Document by its hash, so that a cited source that is also an input of a pack
is one node.
"""

from itertools import groupby

from a2ap.pack.check_pack import check_pack
from a2ap.pack.errors import ManifestError
from a2ap.pack.finding import FindingCode, Severity
from a2ap.pack.manifest import Manifest, hash_content
from a2ap.pack.read_manifest import ReadManifest, read_manifest
from graph.log.row_lists import Row
from graph.records.record_reader import RecordReader
from graph.records.short_text import short_text

MAX_STEPS = 2_000
"""Maximum steps of a pack."""
MAX_CONTENTS = 4_000
"""Maximum references of a pack."""

# The faults of a manifest by itself; whether its content is here is another question.
_OF_CONTENT = (FindingCode.BLOB_MISSING,)


def read_pack(content: bytes) -> ReadManifest:
    """Read the manifest of a pack that can be registered. Raises PackTextError and ManifestError."""
    found = read_manifest(content)
    if len(found.manifest.steps) > MAX_STEPS:
        raise ManifestError(f"the manifest has {len(found.manifest.steps)} steps; {MAX_STEPS} are taken")
    if (named := sum(1 for _ in found.manifest.references())) > MAX_CONTENTS:
        raise ManifestError(f"the manifest names content {named} times; {MAX_CONTENTS} are taken")
    errors = [
        finding
        for finding in check_pack(hash_content(content), content, {}).findings
        if finding.severity is Severity.ERROR and finding.code not in _OF_CONTENT
    ]
    if errors:
        raise ManifestError(f"the manifest: {errors[0]}")
    return found


def pack_rows(content: bytes, record_hash: str) -> list[tuple[str, Row]]:
    """Return the rows of one pack."""
    found = read_pack(content)
    manifest = found.manifest
    rows: list[tuple[str, Row]] = [("write_pack_contents", _content_row(found, record_hash))]
    rows += [("write_pack_uses", row) for row in _uses(manifest, record_hash)]
    for position, output in enumerate(manifest.outputs):
        row = {"record_hash": record_hash, "document_hash": output.content_ref, "position": position}
        rows.append(("write_pack_outputs", row))
    for position, step in enumerate(manifest.steps):
        key = f"{record_hash}#{position}"
        row = {
            "record_hash": record_hash,
            "step_key": key,
            "position": position,
            "index": step.index,
            "type": short_text(step.type),
            "tool": short_text(step.tool),
            "deterministic": step.deterministic,
            "timestamp": step.timestamp,
        }
        rows.append(("write_pack_steps", row))
        if step.output_ref:
            rows.append(("write_step_outputs", {"step_key": key, "document_hash": step.output_ref}))
    if manifest.parent:
        rows.append(("write_pack_parents", {"record_hash": record_hash, "parent": manifest.parent}))
    return rows


def _check(content: bytes) -> None:
    read_pack(content)


def _names(content: bytes) -> tuple[str, ...]:
    return read_pack(content).manifest.blobs


PACKS = RecordReader(
    label="Pack",
    check=_check,
    write="write_packs",
    rows_of=pack_rows,
    blank="blank_packs",
    names=_names,
    whole=True,
)


def _content_row(found: ReadManifest, record_hash: str) -> Row:
    manifest = found.manifest
    return {
        "record_hash": record_hash,
        "byte_length": len(found.data),
        "version": short_text(manifest.version),
        # As text: a pack may have nanoseconds, which the engines do not all keep.
        "created": manifest.created,
        "model": short_text(manifest.model.identifier),
        "os": short_text(manifest.environment.os),
        "runtime": short_text(manifest.environment.runtime),
        "form": found.form.value,
        "parent": manifest.parent or None,
        "steps": len(manifest.steps),
    }


def _uses(manifest: Manifest, record_hash: str) -> list[Row]:
    used: list[tuple[str, str | None, str]] = [("system_prompt", "system", manifest.system_prompt)]
    used += [("prompt", one.role, one.content_ref) for one in manifest.prompts]
    used += [("input", None, one.content_ref) for one in manifest.inputs]
    return [
        {
            "record_hash": record_hash,
            "document_hash": reference,
            "part": part,
            "position": position,
            "role": short_text(role),
        }
        for part, group in groupby(used, key=lambda one: one[0])
        for position, (_, role, reference) in enumerate(group)
    ]
