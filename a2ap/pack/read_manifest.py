"""Reading a manifest of other tools, strictly: it has one reading for everybody, and its bytes stay.

Upstream's reader takes a name in any case and the last of two; a manifest that anybody could read otherwise is refused.
Unknown and missing members are reported, and not refused: versions will differ.
"""

from dataclasses import dataclass
from typing import Any

from a2ap.pack.errors import FieldError, ManifestError, PackError, PackTextError
from a2ap.pack.go_fields import Kind, ListOf, Object, Shape, fold, read_members
from a2ap.pack.go_json import Members, clean_text, read_whole
from a2ap.pack.manifest import Environment, Input, Manifest, ManifestForm, Model, Output, Prompt, Step, write_manifest

MAX_BYTES = 16 * 1_048_576

_STEP = Object(
    {
        "index": Kind.INTEGER,
        "type": Kind.TEXT,
        "tool": Kind.TEXT,
        "parameters": Kind.VALUES,
        "output_ref": Kind.TEXT,
        "deterministic": Kind.TRUTH,
        "timestamp": Kind.TIME,
    }
)
_OUTPUT = Object({"name": Kind.TEXT, "content_ref": Kind.TEXT, "context_pack": Kind.TEXT})
MANIFEST_SHAPE = Object(
    {
        "version": Kind.TEXT,
        "hash": Kind.TEXT,
        "created": Kind.TIME,
        "model": Object({"identifier": Kind.TEXT, "parameters": Kind.VALUES}),
        "system_prompt": Kind.TEXT,
        "prompts": ListOf(Object({"role": Kind.TEXT, "content_ref": Kind.TEXT})),
        "inputs": ListOf(Object({"name": Kind.TEXT, "content_ref": Kind.TEXT, "size": Kind.INTEGER})),
        "steps": ListOf(_STEP),
        "outputs": ListOf(_OUTPUT),
        "environment": Object({"os": Kind.TEXT, "runtime": Kind.TEXT, "tool_versions": Kind.TEXTS}),
        "parent": Kind.TEXT,
    }
)
_OPTIONAL = frozenset({"parent", "context_pack"})
# So many characters of a name are told: others choose how long it is, and how many values stand in it.
_LONGEST_NAME = 80


@dataclass(frozen=True, slots=True)
class ReadManifest:
    """A manifest, the bytes that it was read from, their form, and the paths of unknown and missing members."""

    manifest: Manifest
    data: bytes
    form: ManifestForm
    unknown: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()

    @property
    def is_valid(self) -> bool:
        """Say whether writing the manifest gives the bytes again."""
        return self.form is not ManifestForm.OTHER and not self.unknown and not self.missing


def read_manifest(data: bytes) -> ReadManifest:
    """Read a manifest or a draft. Raises PackTextError, and ManifestError if it could be read in two ways."""
    if len(data) > MAX_BYTES:
        raise PackTextError(f"the manifest has {len(data)} bytes, more than {MAX_BYTES}")
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise PackTextError(f"the manifest is not UTF-8 at byte {error.start}") from error
    strict = _Strict()
    try:
        manifest = _manifest(read_members(MANIFEST_SHAPE, strict.known(MANIFEST_SHAPE, read_whole(data), "")))
    except FieldError as error:
        raise ManifestError(f"the manifest: {error}") from error
    return ReadManifest(manifest, data, _form_of(manifest, data), tuple(strict.unknown), tuple(strict.missing))


class _Strict:
    """The unknown and missing members of a manifest, collected while it is read."""

    def __init__(self) -> None:
        self.unknown: list[str] = []
        self.missing: list[str] = []

    def known(self, shape: Shape, value: Any, path: str) -> Any:
        """Return a value without the members that its shape does not know."""
        if isinstance(shape, Object) and isinstance(value, Members):
            return self._members(shape, value, path)
        if isinstance(shape, ListOf) and isinstance(value, list):
            return [self.known(shape.item, item, f"{path}[{number}]") for number, item in enumerate(value)]
        _refuse_doubled(value, path)
        return value

    def _members(self, shape: Object, value: Members, path: str) -> Members:
        _refuse_doubled_names(value, path)
        names = {name for name, _ in value}
        for name in shape.members:
            if name not in names and name not in _OPTIONAL:
                self.missing.append(_at(path, name))
        kept = []
        for name, item in value:
            if name in shape.members:
                kept.append((name, self.known(shape.members[name], item, _at(path, name))))
                continue
            if fold(name) in shape.members:
                raise FieldError(f"{_at(path, name)[:80]} is {fold(name)} to some readers and unknown to others")
            _refuse_doubled(item, _at(path, name[:_LONGEST_NAME]))
            self.unknown.append(_at(path, clean_text(name))[:200])
        return Members(kept)


def _refuse_doubled(value: Any, path: str) -> None:
    found = _find_doubled(value)
    if found is not None:
        raise FieldError(f"{f'{path}{found}'.removeprefix('.')[:80]} stands there twice")


def _find_doubled(value: Any) -> str | None:
    """Return the path to a name that stands in an object twice, or None; a path is made only if there is one."""
    if isinstance(value, Members):
        doubled = _doubled_name(value)
        if doubled is not None:
            return doubled
        for name, item in value:
            if (found := _find_doubled(item)) is not None:
                return f".{name[:_LONGEST_NAME]}{found}"
    elif isinstance(value, list):
        for number, item in enumerate(value):
            if (found := _find_doubled(item)) is not None:
                return f"[{number}]{found}"
    return None


def _refuse_doubled_names(value: Members, path: str) -> None:
    found = _doubled_name(value)
    if found is not None:
        raise FieldError(f"{f'{path}{found}'.removeprefix('.')[:80]} stands there twice")


def _doubled_name(value: Members) -> str | None:
    names = set()
    for name, _ in value:
        if name in names:
            return f".{clean_text(name[:_LONGEST_NAME])}"
        names.add(name)
    return None


def _form_of(manifest: Manifest, data: bytes) -> ManifestForm:
    for form in (ManifestForm.CANONICAL, ManifestForm.UPSTREAM_FORK):
        try:
            if write_manifest(manifest, form) == data:
                return form
        except PackError:
            continue
    return ManifestForm.OTHER


def _manifest(members: dict[str, Any]) -> Manifest:
    return Manifest(
        members["version"],
        members["created"],
        Model(**members["model"]),
        members["system_prompt"],
        tuple(Prompt(**item) for item in members["prompts"] or ()),
        tuple(Input(**item) for item in members["inputs"] or ()),
        tuple(Step(**item) for item in members["steps"] or ()),
        tuple(Output(**item) for item in members["outputs"] or ()),
        Environment(**members["environment"]),
        members["parent"],
        members["hash"],
    )


def _at(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name
