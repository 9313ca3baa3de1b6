"""Verifying a pack: the manifest and every content hashed again, and every fault reported with its name.

The steps, for each pack:

1. the bytes of the manifest have the hash that names them;
2. they are a manifest, in a known form;
3. the members of the manifest agree with each other;
4. every content that it names is there, has its hash, and has the size that is stated;
5. all content that was handed over beside it is named by it.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from a2ap.pack.errors import PackError
from a2ap.pack.finding import Finding, FindingCode, Severity
from a2ap.pack.go_time import NO_TIME, time_order
from a2ap.pack.manifest import VERSION, Manifest, ManifestForm, hash_content, write_manifest
from a2ap.pack.read_manifest import ReadManifest, read_manifest
from a2ap.pack.reference import is_content_name


@dataclass(frozen=True, slots=True)
class Held:
    """Content as it was found: the hash of its bytes, and their number."""

    hash: str
    size: int


@dataclass(frozen=True, slots=True)
class PackReport:
    """The findings in one pack; `manifest` is None if it cannot be read."""

    hash: str
    manifest: ReadManifest | None
    findings: tuple[Finding, ...]

    @property
    def holds(self) -> bool:
        """Say whether no finding is an error."""
        return all(finding.severity is not Severity.ERROR for finding in self.findings)


def held_as(content: bytes) -> Held:
    """Return content as it was found."""
    return Held(hash_content(content), len(content))


def check_pack(
    name: str,
    data: bytes | None,
    held: Mapping[str, Held],
    *,
    alone: bool = False,
    known: Collection[str] | None = None,
) -> PackReport:
    """Check the pack that a hash names, with the content that is held, by the names under which it is kept.

    `alone` says that only this pack's content was handed over; `known` are the packs that are here, for its parent.
    """
    if data is None:
        return PackReport(name, None, (_error(FindingCode.MANIFEST_MISSING, "", f"{name} is not here"),))
    try:
        found = read_manifest(data)
    except PackError as error:
        findings = (*_check_name(name, data, None), _error(FindingCode.MANIFEST_UNREADABLE, "", str(error)))
        return PackReport(name, None, findings)
    manifest = found.manifest
    findings = (
        *_check_name(name, data, manifest),
        *_check_form(found),
        *check_manifest(manifest, name),
        *_check_blobs(manifest, held),
        *(_check_extra(manifest, held, name) if alone else ()),
        *_check_parent(manifest, known),
    )
    return PackReport(name, found, findings)


def check_manifest(manifest: Manifest, name: str) -> Iterator[Finding]:
    """Check a manifest by itself."""
    if manifest.version != VERSION:
        yield _warning(FindingCode.VERSION_UNKNOWN, "version", f"is {manifest.version[:40]!r}; known is {VERSION}")
    if manifest.created == NO_TIME:
        yield _warning(FindingCode.CREATED_MISSING, "created", "nobody gave it")
    yield from _check_steps(manifest)
    yield from _check_names(manifest)
    for path, reference in manifest.references():
        if not is_content_name(reference):
            yield _error(FindingCode.REFERENCE_FORM, path, f"is {reference[:80]!r}, and not sha256: and 64 digits")
    if manifest.parent and not is_content_name(manifest.parent):
        yield _error(FindingCode.REFERENCE_FORM, "parent", f"is {manifest.parent[:80]!r}, and names no pack")
    for number, output in enumerate(manifest.outputs):
        if output.context_pack not in ("", name):
            words = f"says that it comes out of {output.context_pack[:80]}"
            yield _warning(FindingCode.OUTPUT_OF_OTHER, f"outputs[{number}].context_pack", words)


def _check_name(name: str, data: bytes, manifest: Manifest | None) -> Iterator[Finding]:
    actual = hash_content(data)
    stated = manifest.hash if manifest is not None else ""
    # "Once calculated, the manifest is stored with the hash field populated": then the name is that of other bytes.
    emptied = hash_content(write_manifest(replace(manifest, hash=""))) if manifest is not None and stated else None
    if actual != name and emptied != name:
        yield _error(FindingCode.MANIFEST_ALTERED, "", f"the manifest kept as {name} is {actual}")
    if stated and stated in (name, emptied):
        words = "the hash stands in the manifest, so that the pack is named by the bytes without it"
        yield _warning(FindingCode.HASH_POPULATED, "hash", words)
    elif stated:
        yield _error(FindingCode.HASH_OF_OTHER, "hash", f"is {stated[:80]}, which is not this pack's")


def _check_form(found: ReadManifest) -> Iterator[Finding]:
    canonical = hash_content(write_manifest(replace(found.manifest, hash="")))
    if found.form is ManifestForm.UPSTREAM_FORK:
        words = f"a fork in the order of upstream's source; canonically it would be {canonical}"
        yield _warning(FindingCode.FORM_UPSTREAM_FORK, "", words)
    for path in found.missing:
        yield _error(FindingCode.MEMBER_MISSING, path, "is not there")
    for path in found.unknown:
        yield _warning(FindingCode.MEMBER_UNKNOWN, path, "is not a member of a manifest")
    if found.form is ManifestForm.OTHER and not found.missing and not found.unknown:
        words = f"the manifest is not written canonically; it would be {canonical}"
        yield _warning(FindingCode.FORM_NOT_CANONICAL, "", words)


def _check_steps(manifest: Manifest) -> Iterator[Finding]:
    latest = NO_TIME
    for position, step in enumerate(manifest.steps):
        if step.index != position:
            words = f"is {step.index}, and the step is number {position} of the list"
            yield _warning(FindingCode.STEP_INDEX, f"steps[{position}].index", words)
        if step.timestamp == NO_TIME:
            continue
        if time_order(step.timestamp) < time_order(latest) and latest != NO_TIME:
            words = f"is {step.timestamp}, before a step above it"
            yield _warning(FindingCode.TIME_RUNS_BACK, f"steps[{position}].timestamp", words)
        latest = max(latest, step.timestamp, key=time_order)


def _check_names(manifest: Manifest) -> Iterator[Finding]:
    for part, names in (
        ("inputs", [one.name for one in manifest.inputs]),
        ("outputs", [one.name for one in manifest.outputs]),
    ):
        seen: set[str] = set()
        for number, name in enumerate(names):
            # Upstream writes files beside outputs by their names.
            if name.startswith(("/", "\\", "~")) or ".." in name.replace("\\", "/").split("/") or name[1:2] == ":":
                words = f"{name[:80]!r} leads out of a folder: never use it as a path"
                yield _warning(FindingCode.NAME_UNSAFE, f"{part}[{number}].name", words)
            if name in seen:
                yield _warning(FindingCode.NAME_TWICE, f"{part}[{number}].name", f"{name[:80]!r} stands there before")
            seen.add(name)


def _check_blobs(manifest: Manifest, held: Mapping[str, Held]) -> Iterator[Finding]:
    for path, reference in manifest.references():
        if not is_content_name(reference):
            continue
        content = held.get(reference)
        if content is None:
            yield _error(FindingCode.BLOB_MISSING, path, f"{reference} is not here")
        elif content.hash != reference:
            yield _error(FindingCode.BLOB_ALTERED, path, f"the content kept as {reference} is {content.hash}")
    for number, given in enumerate(manifest.inputs):
        content = held.get(given.content_ref)
        if content is not None and content.hash == given.content_ref and content.size != given.size:
            words = f"is {given.size}, and the content has {content.size} bytes"
            yield _error(FindingCode.SIZE_DIFFERS, f"inputs[{number}].size", words)


def _check_extra(manifest: Manifest, held: Mapping[str, Held], name: str) -> Iterator[Finding]:
    named = {*manifest.blobs, name}
    for extra in sorted(set(held) - named):
        yield _warning(FindingCode.BLOB_EXTRA, extra, "the manifest does not name it")


def _check_parent(manifest: Manifest, known: Collection[str] | None) -> Iterator[Finding]:
    if manifest.parent and known is not None and manifest.parent not in known:
        yield Finding(FindingCode.PARENT_MISSING, Severity.NOTE, "parent", f"{manifest.parent[:80]} is not here")


def _error(code: FindingCode, path: str, words: str) -> Finding:
    return Finding(code, Severity.ERROR, path, words)


def _warning(code: FindingCode, path: str, words: str) -> Finding:
    return Finding(code, Severity.WARNING, path, words)
