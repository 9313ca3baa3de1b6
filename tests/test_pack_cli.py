"""`a2ap pack` on a store: made, shown, verified, compared, forked, replayed and carried elsewhere."""

import json
import subprocess
from pathlib import Path

import pytest
from cli_runner import Run, a2ap
from packs import LOG, STEPS, log_json, pack
from vectors_file import load_vectors

from a2ap.pack.manifest import ManifestForm, hash_content, write_manifest
from a2ap.pack.read_manifest import read_manifest
from a2ap.pack.reference import object_path

__all__ = ["a2ap"]

AT = ("--created", "2026-01-15T10:30:00.5Z")
PACK = pack()
SHORT = PACK.hash[7:19]


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "run.json"
    path.write_text(json.dumps(log_json()))
    return path


def stored(folder: Path, name: str) -> Path:
    return folder / ".ctx" / object_path(name)


def test_a_pack_is_made_shown_and_verified_from_any_folder_below(a2ap: Run, log: Path, monkeypatch: pytest.MonkeyPatch):
    made = a2ap("pack", "create", log, *AT)
    assert (made.out, made.err) == (f"ctx://{PACK.hash[7:]}\n", f"made the store {log.parent / '.ctx'}\n")
    again = a2ap("pack", "create", log, *AT)
    assert (again.out, again.err) == (made.out, f"{PACK.hash} was here already\n")
    (log.parent / "below").mkdir()
    monkeypatch.chdir(log.parent / "below")
    assert a2ap("pack", "show", SHORT).out.encode() == PACK.data
    assert a2ap("pack", "cat", PACK.manifest.system_prompt).out == LOG.system_prompt
    assert (
        f"step    [1] reasoning think, not deterministic  {PACK.manifest.steps[1].output_ref}"
        in a2ap("pack", "show", f"ctx://{PACK.hash}", "--text").out
    )
    verified = json.loads(a2ap("pack", "verify", "--json").out)
    assert verified == {"holds": True, "packs": [{"pack": PACK.hash, "holds": True, "findings": []}], "findings": []}
    listed = json.loads(a2ap("pack", "log", "--json").out)
    assert listed["packs"] == [
        {"pack": PACK.hash, "created": PACK.manifest.created, "model": "gpt-4", "steps": 3, "parent": None}
    ]


def test_everything_missing_or_altered_ends_with_1_by_its_name(a2ap: Run, log: Path):
    a2ap("pack", "create", log, *AT)
    folder, name = log.parent, PACK.manifest.inputs[0].content_ref
    kept = stored(folder, name).read_bytes()
    stored(folder, name).write_bytes(b"tampered")
    said = a2ap("pack", "verify", SHORT, status=1).out
    assert "blob-altered: inputs[0].content_ref" in said and "blob-altered: steps[0].output_ref" in said
    assert "object-altered" in a2ap("pack", "verify", status=1).out
    assert "is kept as" not in a2ap("pack", "cat", name, status=1).out
    stored(folder, name).unlink()
    assert "blob-missing" in a2ap("pack", "verify", SHORT, status=1).out
    stored(folder, name).write_bytes(kept)
    stored(folder, PACK.hash).write_bytes(PACK.data.replace(b"gpt-4", b"gpt-5"))
    assert "manifest-altered" in a2ap("pack", "verify", SHORT, status=1).out
    assert PACK.hash in a2ap("pack", "show", SHORT, status=1).only_error
    stored(folder, PACK.hash).unlink()
    assert "manifest-missing" in a2ap("pack", "verify", SHORT, status=1).out
    assert "is not here" in a2ap("pack", "log").out
    (folder / ".ctx" / "packs" / PACK.hash[7:]).write_text("another")
    assert "index-damaged" in a2ap("pack", "verify", status=1).out


def test_damaged_content_is_written_again_when_it_is_packed_again(a2ap: Run, log: Path):
    a2ap("pack", "create", log, *AT)
    for name in (PACK.manifest.system_prompt, PACK.hash):
        stored(log.parent, name).write_bytes(b"damaged")
    a2ap("pack", "create", log, *AT)
    a2ap("pack", "verify")


def test_a_file_is_an_output_of_a_pack_or_it_is_not(a2ap: Run, log: Path, tmp_path: Path):
    a2ap("pack", "create", log, *AT)
    file = tmp_path / "summary.txt"
    file.write_text("A greeting.")
    a2ap("pack", "verify", SHORT, "--artifact", file)
    file.write_text("A greeting!")
    assert "artifact-modified" in a2ap("pack", "verify", SHORT, "--artifact", file, status=1).out
    assert "artifact-of-other" in a2ap("pack", "verify", SHORT, "--artifact", log, status=1).out
    assert "name it" in a2ap("pack", "verify", "--artifact", file, status=1).only_error


def test_a_file_names_its_pack_in_the_sidecar_beside_it(a2ap: Run, log: Path, tmp_path: Path):
    a2ap("pack", "create", log, *AT)
    a2ap("pack", "create", log, "--created", "2026-01-16T10:30:00Z")
    file, beside = tmp_path / "summary.txt", tmp_path / "summary.txt.ctx.json"
    file.write_text("A greeting.")
    inputs = [one.content_ref for one in PACK.manifest.inputs]
    tools = sorted({one.tool for one in PACK.manifest.steps})
    said = {"context_pack": PACK.hash, "inputs": inputs, "tools": tools, "confidence": "low", "notes": "Many\nways."}
    beside.write_text(json.dumps(said))
    out = a2ap("pack", "verify", "--artifact", file).out
    assert PACK.hash in out and "confidence is low" in out and '"Many\\nways."' in out
    beside.write_text(json.dumps({**said, "tools": ["rm"], "confidence": "total"}))
    out = a2ap("pack", "verify", "--artifact", file).out
    assert out.count("sidecar-differs") == 3
    beside.write_text(json.dumps({**said, "context_pack": "sha256:" + "0" * 64}))
    assert "manifest-missing" in a2ap("pack", "verify", "--artifact", file, status=1).out
    assert "sidecar-of-other" in a2ap("pack", "verify", SHORT, "--artifact", file, status=1).out
    beside.write_text("[]")
    assert "not an object" in a2ap("pack", "verify", "--artifact", file, status=1).only_error


def test_a_draft_is_finished_canonically_with_content_that_is_added(a2ap: Run, log: Path, tmp_path: Path):
    a2ap("pack", "create", log, *AT)
    draft = Path(a2ap("pack", "fork", SHORT).out.strip())
    assert "is there already" in a2ap("pack", "fork", SHORT, status=1).only_error
    more = tmp_path / "prompt.txt"
    more.write_text("Another prompt")
    other = pack(system_prompt="Another prompt").manifest.system_prompt
    draft.write_text(draft.read_text().replace(PACK.manifest.system_prompt, other))
    assert "system_prompt" in a2ap("pack", "finalize", draft, status=1).only_error
    made = a2ap("pack", "finalize", draft, "--add", more, "--created", "2026-02-01T00:00:00Z", "--json")
    found = json.loads(made.out)
    expected = pack("2026-02-01T00:00:00Z", PACK.hash, system_prompt="Another prompt")
    assert (found["pack"], draft.exists()) == (expected.hash, False)
    assert found["upstreamHash"] in made.err.replace("ctx://", "sha256:")
    assert found["upstreamHash"] != expected.hash
    a2ap("pack", "verify")
    (drift,) = json.loads(a2ap("pack", "diff", SHORT, expected.hash, "--json").out)["entries"]
    assert (drift["type"], drift["pack_b"]) == ("prompt_drift", other)


def test_a_replay_opens_no_path_and_ends_as_upstreams(a2ap: Run, log: Path, tmp_path: Path):
    secret = tmp_path / "secret"
    secret.write_text("# Hello")
    step = {"type": "tool_call", "tool": "read_file", "deterministic": True, "parameters": {"path": str(secret)}}
    log.write_text(json.dumps({**log_json(), "steps": [{**step, "output": "# Hello"}]}))
    one = a2ap("pack", "create", log).out.strip()
    found = json.loads(a2ap("pack", "replay", one, "--json", status=3).out)
    assert (found["fidelity"], found["steps"][0]["status"]) == ("unchecked", "unchecked")
    log.write_text(json.dumps({**log_json(), "steps": [{**step, "output": "changed since"}]}))
    other = a2ap("pack", "create", log).out.strip()
    assert "refuted" in a2ap("pack", "replay", other, status=1).out
    stored(tmp_path, pack(steps=STEPS[:1]).manifest.steps[0].output_ref).unlink()
    assert "lost" in a2ap("pack", "replay", one, status=2).out
    assert "--tool" in a2ap("pack", "replay", one, "--tool", "x", status=1).only_error


def test_a_pack_is_carried_elsewhere_with_those_that_it_follows(a2ap: Run, log: Path, tmp_path: Path):
    a2ap("pack", "create", log, *AT)
    child = a2ap("pack", "create", log, "--parent", SHORT, "--created", "2026-03-01T00:00:00Z").out.strip()
    for ancestors, packs in (("none", 1), ("all", 2)):
        archive, elsewhere = tmp_path / f"{ancestors}.tar", tmp_path / ancestors
        a2ap("pack", "export", child, "--out", archive, "--ancestors", ancestors)
        elsewhere.mkdir()
        subprocess.run(["tar", "xf", archive, "-C", elsewhere], check=True)
        found = json.loads(a2ap("pack", "verify", "--store", elsewhere, "--json").out)
        assert (found["holds"], len(found["packs"])) == (True, packs)


def test_a_fork_that_upstream_finished_is_opened(a2ap: Run, log: Path, tmp_path: Path):
    a2ap("pack", "create", log, *AT)
    child = pack(parent=PACK.hash)
    data = write_manifest(child.manifest, ManifestForm.UPSTREAM_FORK)
    name = hash_content(data)
    stored(tmp_path, name).parent.mkdir(exist_ok=True)
    stored(tmp_path, name).write_bytes(data)
    (tmp_path / ".ctx" / "packs" / name[7:]).write_text(name)
    assert a2ap("pack", "show", name).out.encode() == data
    said = a2ap("pack", "verify", name).out
    assert "form-upstream-fork" in said and child.hash in said


def test_what_cannot_be_done_is_one_line(a2ap: Run, log: Path, tmp_path: Path):
    assert "there is no .ctx store" in a2ap("pack", "log", status=1).only_error
    a2ap("pack", "create", log, *AT)
    assert "no pack begins with ffff" in a2ap("pack", "show", "ffff", status=1).only_error
    assert "is no reference" in a2ap("pack", "show", "nonsense", status=1).only_error
    assert "is not held" in a2ap("pack", "cat", "sha256:" + "0" * 64, status=1).only_error
    assert "is no time" in a2ap("pack", "create", log, "--created", "2026-02-30T00:00:00Z", status=1).only_error
    log.write_text("{}")
    assert "model.identifier" in a2ap("pack", "create", log, status=1).only_error
    assert "--parent" not in a2ap("pack", "create", log, "--parent", "0" * 64, status=1).out
    for vector in load_vectors("context_packs.json"):
        if "parse_error" in vector:
            log.write_bytes(bytes.fromhex(vector["log_utf8_hex"]))
            assert a2ap("pack", "create", log, status=1).only_error
    assert [PACK.hash] == [one["pack"] for one in json.loads(a2ap("pack", "log", "--json").out)["packs"]]
    assert read_manifest(PACK.data).is_valid
