"""Sidecars: the file beside an output that names the pack it came from, as upstream's tool reads `NAME.ctx.json`.

A sidecar proves nothing: the pack that it names is verified, and its inputs and tools are compared with the manifest.
Unknown members are ignored, as upstream does; a name that stands twice is refused, since two readers could read two
things.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from a2ap.pack.errors import PackTextError, SidecarError
from a2ap.pack.finding import Finding, FindingCode, Severity
from a2ap.pack.go_json import Members, Number, clean_text, read_whole
from a2ap.pack.manifest import Manifest

SUFFIX = ".ctx.json"
MAX_BYTES = 1_048_576

_SHOWN = 200


class Confidence(StrEnum):
    """The confidence of a sidecar's author in the output."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


@dataclass(frozen=True, slots=True)
class Sidecar:
    """The content of a sidecar: the pack as it names it, its inputs by hash, its tools, and words about the output."""

    context_pack: str
    inputs: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    confidence: str = ""
    notes: str = ""


def read_sidecar(data: bytes) -> Sidecar:
    """Read a sidecar. Raises PackTextError and SidecarError."""
    if len(data) > MAX_BYTES:
        raise PackTextError(f"the sidecar has {len(data)} bytes, more than {MAX_BYTES}")
    value = read_whole(data)
    if not isinstance(value, Members):
        raise SidecarError("the sidecar is not an object")
    members = dict(value)
    for name in Sidecar.__slots__:
        if sum(own == name for own, _ in value) > 1:
            raise SidecarError(f"the sidecar has {name} twice")
    found = Sidecar(
        context_pack=_text(members, "context_pack"),
        inputs=_texts(members, "inputs"),
        tools=_texts(members, "tools"),
        confidence=_text(members, "confidence"),
        notes=_text(members, "notes"),
    )
    if not found.context_pack:
        raise SidecarError("the sidecar names no context_pack")
    return found


def check_sidecar(sidecar: Sidecar, path: str, manifest: Manifest) -> Iterator[Finding]:
    """Find differences between a sidecar and the pack that it names, and its further words."""
    inputs = {one.content_ref for one in manifest.inputs}
    tools = {one.tool for one in manifest.steps}
    for part, stated, known in (("inputs", sidecar.inputs, inputs), ("tools", sidecar.tools, tools)):
        for name in dict.fromkeys(stated):
            if name not in known:
                yield _finding(Severity.WARNING, path, f"{part} has {_shown(name)}, which the pack has not")
        if missing := len(known - set(stated)):
            yield _finding(Severity.WARNING, path, f"{part} lacks {missing} of those of the pack")
    if sidecar.confidence and sidecar.confidence not in frozenset(Confidence):
        words = f"confidence is {_shown(sidecar.confidence)}, none of {', '.join(Confidence)}"
        yield _finding(Severity.WARNING, path, words)
    elif sidecar.confidence:
        yield _finding(Severity.NOTE, path, f"its confidence is {sidecar.confidence}", FindingCode.SIDECAR_SAYS)
    if sidecar.notes:
        yield _finding(Severity.NOTE, path, f"it notes {_shown(sidecar.notes)}", FindingCode.SIDECAR_SAYS)


def _finding(severity: Severity, path: str, words: str, code: FindingCode = FindingCode.SIDECAR_DIFFERS) -> Finding:
    return Finding(code, severity, path, words)


def _text(members: dict[str, Any], name: str) -> str:
    value = members.get(name)
    if value is None:
        return ""
    if not isinstance(value, str) or isinstance(value, Number):
        raise SidecarError(f"{name} of the sidecar is not a text")
    return clean_text(value)


def _texts(members: dict[str, Any], name: str) -> tuple[str, ...]:
    values = members.get(name)
    if values is None:
        return ()
    if not isinstance(values, list) or any(not isinstance(one, str) or isinstance(one, Number) for one in values):
        raise SidecarError(f"{name} of the sidecar is not a list of texts")
    return tuple(clean_text(one) for one in values)


def _shown(text: str) -> str:
    return json.dumps(text if len(text) <= _SHOWN else text[:_SHOWN] + "…")
