"""Manifests of others are read strictly: one reading for everybody, or refused; the shipped schemas say the same."""

import json
import re
from importlib.resources import files
from typing import Any

import pytest
from cost import seconds_of
from hypothesis import given
from hypothesis import strategies as st
from nothing_outside import nothing_outside
from packs import CREATED, LOG, pack, values
from patience import PATIENT
from vectors_file import load_vectors

from a2ap.pack.check_pack import check_pack
from a2ap.pack.errors import ManifestError, PackError, PackReferenceError
from a2ap.pack.execution_log import LOG_SHAPE
from a2ap.pack.finding import FindingCode
from a2ap.pack.go_fields import ListOf, Object, Shape
from a2ap.pack.go_text import write_sorted
from a2ap.pack.manifest import ManifestForm, hash_content, write_manifest
from a2ap.pack.read_manifest import MANIFEST_SHAPE, read_manifest
from a2ap.pack.reference import index_path, object_path, pack_uri, resolve_reference

PACK = pack()
GOOD = json.loads(PACK.data)


def changed(**members: Any) -> bytes:
    return write_sorted({**GOOD, **members})


@pytest.mark.parametrize(
    "data",
    [
        b'{"hash":"","hash":"","version":"0.1"}',
        b'{"steps":[],"Steps":[]}',
        b'{"Version":"0.1"}',
        '{"ver\u017fion":"0.1"}'.encode(),
        b'{"model":{"parameters":{"a":1,"a":2}}}',
        b'{"model":{"parameters":{"a":[{"b":1,"b":2}]}}}',
        b'{"extra":{"a":1,"a":2}}',
        b'{"version":1}',
        b'{"steps":{}}',
        b'{"steps":[{"index":1.0}]}',
        b'{"inputs":[{"size":9223372036854775808}]}',
        b'{"steps":[{"deterministic":"yes"}]}',
        b'{"created":"yesterday"}',
        b'{"environment":{"tool_versions":{"a":1}}}',
        b"[]",
        b'"sha256:"',
        b'{"version":"\xff"}',
        b"{} {}",
        b"",
    ],
)
def test_what_could_be_read_in_two_ways_or_not_at_all_is_refused(data: bytes):
    with pytest.raises(PackError):
        read_manifest(data)


def test_what_is_too_much_or_too_little_is_named_and_the_bytes_stay():
    found = read_manifest(changed(signature="x", steps=[{"index": 0, "cost": 1}]))
    assert found.unknown == ("signature", "steps[0].cost")
    assert found.missing == tuple(
        f"steps[0].{name}" for name in ("type", "tool", "parameters", "output_ref", "deterministic", "timestamp")
    )
    assert not found.is_valid
    assert b'"signature":"x"' in found.data


def test_a_manifest_that_is_not_canonical_is_read_and_named():
    data = json.dumps(GOOD).encode()
    found = read_manifest(data)
    assert (found.form, found.manifest) == (ManifestForm.OTHER, PACK.manifest)
    report = check_pack(hash_content(data), data, {})
    (said,) = [one for one in report.findings if one.code is FindingCode.FORM_NOT_CANONICAL]
    assert PACK.hash in said.words


def test_a_manifest_with_its_hash_in_it_as_the_specification_says_is_known():
    data = changed(hash=PACK.hash)
    codes = [one.code for one in check_pack(PACK.hash, data, {}).findings]
    assert FindingCode.HASH_POPULATED in codes and FindingCode.MANIFEST_ALTERED not in codes
    codes = [one.code for one in check_pack(PACK.hash, changed(hash="sha256:" + "0" * 64), {}).findings]
    assert FindingCode.HASH_OF_OTHER in codes


@PATIENT
@given(st.sampled_from(sorted(GOOD)), values)
@nothing_outside()
def test_a_good_manifest_with_anything_in_it(name: str, value: Any):
    data = changed(**{name: value})
    try:
        found = read_manifest(data)
    except PackError as error:
        assert str(error)
        return
    if found.is_valid:
        assert write_manifest(found.manifest, found.form) == data
    for finding in check_pack(hash_content(data), data, {}, alone=True, known=()).findings:
        assert str(finding)


def test_references_in_all_their_forms():
    digits = PACK.hash.removeprefix("sha256:")
    others = [PACK.hash, "sha256:" + "0" * 64, "sha256:" + "0" * 63 + "1"]
    for text in (PACK.hash, digits, digits.upper(), f"ctx://{digits}", f"ctx://{PACK.hash}", digits[:12], digits[:4]):
        assert resolve_reference(text, others) == PACK.hash
    assert pack_uri(PACK.hash) == f"ctx://{digits}"
    assert object_path(PACK.hash) == f"objects/{digits[:2]}/{digits[2:]}"
    assert index_path(PACK.hash) == f"packs/{digits}"
    for text in ("", "xyz", "000", "0000", "ffff", digits[:12] + "g", f"sha256:{digits[:12]}", "ctx://", digits + "00"):
        with pytest.raises(PackReferenceError):
            resolve_reference(text, others)
    for name in (digits, PACK.hash.upper(), "sha256:../../etc", ""):
        with pytest.raises(PackReferenceError):
            object_path(name)


@pytest.mark.parametrize(
    ("file", "shape"), [("context-pack.schema.json", MANIFEST_SHAPE), ("execution-log.schema.json", LOG_SHAPE)]
)
def test_the_shipped_schemas_name_the_same_members(file: str, shape: Shape):
    same_members(json.loads((files("a2ap.pack") / file).read_text("utf-8")), shape)


def same_members(schema: dict[str, Any], shape: Shape) -> None:
    if isinstance(shape, ListOf):
        same_members(schema["items"], shape.item)
    elif isinstance(shape, Object):
        assert set(schema["properties"]) == set(shape.members)
        assert schema["additionalProperties"] is False
        for name, inner in shape.members.items():
            same_members(schema["properties"][name], inner)


def test_the_patterns_of_the_schema_fit_what_upstream_writes():
    definitions = json.loads((files("a2ap.pack") / "context-pack.schema.json").read_text("utf-8"))["$defs"]
    for vector in load_vectors("context_packs.json"):
        if "parse_error" not in vector:
            manifest = read_manifest(bytes.fromhex(vector["manifest_utf8_hex"])).manifest
            for time in (manifest.created, *(step.timestamp for step in manifest.steps)):
                assert re.search(definitions["time"]["pattern"], time)
            for name in manifest.blobs:
                assert re.search(definitions["reference"]["pattern"], name)


def test_a_parent_is_part_of_the_name():
    assert pack(parent=PACK.hash).manifest.parent == PACK.hash
    assert pack(parent=PACK.hash).hash != PACK.hash == pack(CREATED).hash
    assert LOG.system_prompt
    with pytest.raises(ManifestError):
        read_manifest(b'{"parent":"a","parent":"b"}')


def test_a_long_name_around_many_values_costs_no_memory_for_each():
    data = changed(extra={"x" * 200_000: [0] * 20_000})
    assert seconds_of(lambda: read_manifest(data)) < 0.5
    assert read_manifest(data).unknown == ("extra",)


def test_a_name_that_stands_twice_is_told_with_its_path():
    with pytest.raises(ManifestError, match=r"extra\.a\[1\]\.b stands there twice"):
        read_manifest(b'{"extra":{"a":[0,{"b":1,"b":2}]}}')
