"""Verifying a pack: nothing to find in a good one, and everything missing, altered or added by its own name."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest
from packs import LOG, STEPS, held, pack

from a2ap.pack.check_pack import Held, check_manifest, check_pack, held_as
from a2ap.pack.draft import finalize_draft, fork_pack
from a2ap.pack.errors import ManifestError, PackError
from a2ap.pack.execution_log import LogContent
from a2ap.pack.finding import FindingCode, Severity
from a2ap.pack.manifest import Manifest, Output, write_indented, write_manifest
from a2ap.pack.packing import pack_of
from graph.records.pack_rows import MAX_CONTENTS, MAX_STEPS, read_pack

PACK = pack()
HELD = held(PACK)
NOWHERE = "sha256:" + "0" * 64


def found(
    data: bytes | None = PACK.data, have: Mapping[str, Held] = HELD, name: str | None = None, **options: Any
) -> list[tuple[str, str]]:
    report = check_pack(name or PACK.hash, data, have, **options)
    return [(finding.code, finding.path) for finding in report.findings]


def test_nothing_is_found_in_a_good_pack():
    report = check_pack(PACK.hash, PACK.data, HELD, alone=True, known=())
    assert report.holds and report.findings == ()


def test_a_manifest_that_is_missing_altered_or_unreadable():
    assert found(None) == [("manifest-missing", "")]
    assert found(PACK.data.replace(b"gpt-4", b"gpt-5")) == [("manifest-altered", "")]
    assert found(b"nonsense") == [("manifest-altered", ""), ("manifest-unreadable", "")]


@pytest.mark.parametrize("path", [path for path, _ in PACK.manifest.references()])
def test_every_content_that_is_missing_or_altered(path: str):
    reference = dict(PACK.manifest.references())[path]
    places = [one for one, name in PACK.manifest.references() if name == reference]
    gone = {name: content for name, content in HELD.items() if name != reference}
    assert found(have=gone) == [("blob-missing", place) for place in places]
    altered = {**HELD, reference: held_as(b"altered")}
    assert found(have=altered) == [("blob-altered", place) for place in places]
    assert not check_pack(PACK.hash, PACK.data, altered).holds


def test_content_that_no_manifest_names_shows_where_the_pack_is_alone():
    more = {**HELD, NOWHERE: held_as(b"more")}
    assert found(have=more) == []
    assert found(have=more, alone=True) == [("blob-extra", NOWHERE)]


def test_a_parent_that_is_not_here_is_a_note():
    child = pack(parent=NOWHERE)
    report = check_pack(child.hash, child.data, held(child), known=[PACK.hash])
    assert [(one.code, one.severity) for one in report.findings] == [(FindingCode.PARENT_MISSING, Severity.NOTE)]
    assert report.holds


CHANGES: list[tuple[str, Callable[[Manifest], dict[str, Any]]]] = [
    ("version-unknown", lambda m: {"version": "9"}),
    ("created-missing", lambda m: {"created": "0001-01-01T00:00:00Z"}),
    ("step-index", lambda m: {"steps": (m.steps[0], m.steps[2], m.steps[1])}),
    ("time-runs-back", lambda m: {"steps": (m.steps[2], m.steps[1])}),
    ("name-unsafe", lambda m: {"outputs": (Output("../../x", m.system_prompt),)}),
    ("name-unsafe", lambda m: {"outputs": (Output("/etc/passwd", m.system_prompt),)}),
    ("name-unsafe", lambda m: {"outputs": (Output("c:\\x", m.system_prompt),)}),
    ("name-twice", lambda m: {"outputs": (m.outputs[0], m.outputs[0])}),
    ("reference-form", lambda m: {"system_prompt": ""}),
    ("reference-form", lambda m: {"system_prompt": m.system_prompt.upper()}),
    ("reference-form", lambda m: {"parent": "the one before"}),
    ("output-of-other", lambda m: {"outputs": (replace(m.outputs[0], context_pack=NOWHERE),)}),
    ("size-differs", lambda m: {"inputs": (replace(m.inputs[0], size=8),)}),
]


@pytest.mark.parametrize(("code", "change"), CHANGES)
def test_what_a_manifest_says_holds_together(code: str, change: Callable[[Manifest], dict[str, Any]]):
    changed = pack_of(replace(PACK.manifest, **change(PACK.manifest)), {})
    codes = [one for one, _ in found(changed.data, name=changed.hash)]
    assert code in codes


def test_a_draft_becomes_a_pack_only_with_all_that_it_names():
    draft = fork_pack(PACK.manifest, PACK.hash)
    finished = finalize_draft(draft, "2026-02-01T00:00:00Z", PACK.blobs)
    assert (finished.manifest.parent, finished.manifest.created) == (PACK.hash, "2026-02-01T00:00:00Z")
    with pytest.raises(ManifestError, match=r"system_prompt, prompts\[0\].content_ref"):
        finalize_draft(draft, None, {})
    with pytest.raises(ManifestError, match="no parent"):
        finalize_draft(write_indented(PACK.manifest), None, PACK.blobs)
    with pytest.raises(ManifestError, match="notes is unknown"):
        finalize_draft(draft.replace(b'"version"', b'"notes": 1, "version"', 1), None, PACK.blobs)
    with pytest.raises(PackError):
        finalize_draft(draft, "tomorrow", PACK.blobs)


def test_an_edited_draft_states_the_size_of_what_it_names():
    content = b"another file"
    draft = fork_pack(PACK.manifest, PACK.hash).decode()
    edited = draft.replace(PACK.manifest.inputs[0].content_ref, held_as(content).hash, 1)
    finished = finalize_draft(edited.encode(), None, {**PACK.blobs, held_as(content).hash: content})
    assert finished.manifest.inputs[0].size == len(content)


def test_one_content_under_many_names_is_kept_once():
    same = pack(inputs=(LogContent("a", "7"), LogContent("b", "7")), steps=STEPS[2:], outputs=LOG.outputs[1:])
    assert list(same.blobs.values()).count(b"7") == 1


class Counted(str):
    """A text that counts how often it is compared with another."""

    compared = 0

    def __eq__(self, other: object) -> bool:
        Counted.compared += 1
        return str.__eq__(self, other)

    __hash__ = str.__hash__


def test_looking_for_names_that_stand_there_twice_takes_work_in_proportion_to_them():
    names = [Counted(f"input {number}") for number in range(3_000)]
    given = PACK.manifest.inputs[0]
    manifest = replace(PACK.manifest, inputs=tuple(replace(given, name=name) for name in (*names, names[0])))
    Counted.compared = 0
    found_twice = [one.path for one in check_manifest(manifest, PACK.hash) if one.code is FindingCode.NAME_TWICE]
    assert found_twice == ["inputs[3000].name"]
    assert Counted.compared < 100


def test_a_pack_is_measured_before_it_is_checked():
    step = replace(PACK.manifest.steps[0], output_ref="nothing")
    manifest = replace(PACK.manifest, steps=(step,) * (MAX_STEPS + 1))
    with pytest.raises(ManifestError, match=f"has {MAX_STEPS + 1} steps"):
        read_pack(write_manifest(manifest))
    given = replace(PACK.manifest.inputs[0], content_ref="nothing")
    manifest = replace(PACK.manifest, inputs=(given,) * (MAX_CONTENTS + 1))
    with pytest.raises(ManifestError, match="names content"):
        read_pack(write_manifest(manifest))
