"""Forks: a draft that people edit, and the pack that is made of it.

Upstream writes a finished draft in the order of its source, so that its hash is not the canonical one of its manifest,
and takes over the time of the parent. Ours is canonical and has its own time.
"""

from collections.abc import Mapping
from dataclasses import replace

from a2ap.pack.errors import ManifestError
from a2ap.pack.go_time import rewrite_time
from a2ap.pack.manifest import Manifest, ManifestForm, hash_content, write_indented, write_manifest
from a2ap.pack.packing import Pack, pack_of
from a2ap.pack.read_manifest import ReadManifest, read_manifest
from a2ap.pack.reference import is_content_name


def fork_pack(manifest: Manifest, name: str) -> bytes:
    """Return the draft of a fork of a pack, byte for byte as upstream writes it."""
    outputs = tuple(replace(output, context_pack="") for output in manifest.outputs)
    return write_indented(replace(manifest, parent=name, hash="", outputs=outputs))


def draft_name(name: str) -> str:
    """Return the file name that upstream gives to the draft of a fork."""
    return f"{name.removeprefix('sha256:')[:12]}.draft.json"


def finalize_draft(data: bytes, created: str | None, blobs: Mapping[str, bytes]) -> Pack:
    """Make a pack of a draft, in canonical form; without `created` the time in the draft is kept.

    `blobs` is the content that is here, by its name. Raises ManifestError if content or members are missing, or
    there is no parent, PackTextError, and PackTimeError if `created` is not a time.
    """
    found = read_manifest(data)
    _check(found)
    manifest = found.manifest
    missing = [path for path, reference in manifest.references() if reference not in blobs]
    if missing:
        raise ManifestError(f"the draft names content that is not here: {', '.join(missing[:20])}")
    sized = tuple(replace(given, size=len(blobs[given.content_ref])) for given in manifest.inputs)
    finished = replace(manifest, hash="", inputs=sized, created=rewrite_time(created or manifest.created))
    return pack_of(finished, {name: blobs[name] for name in finished.blobs})


def upstream_hash(pack: Pack) -> str:
    """Return the hash under which upstream would keep the same fork."""
    return hash_content(write_manifest(pack.manifest, ManifestForm.UPSTREAM_FORK))


def _check(found: ReadManifest) -> None:
    if found.unknown or found.missing:
        words = [f"{path} is unknown" for path in found.unknown] + [f"{path} is missing" for path in found.missing]
        raise ManifestError(f"the draft cannot become a pack: {', '.join(words[:20])}")
    if not is_content_name(found.manifest.parent):
        raise ManifestError("the draft has no parent: `a2ap pack fork` writes one")
