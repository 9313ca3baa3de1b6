"""The operator's file of probes, and the place where a recheck was stopped."""

import base64
import stat
from dataclasses import replace
from pathlib import Path

import pytest
from builders import envelope_of, probe_message, sign, signed_statement

from a2ap.messages.gold_label import Label
from graph.errors import InputError
from graph.evidence.recheck_place import RecheckPlace
from graph.gold.probe_file import KeptProbe, ProbeFile, read_probes, working_with, write_probes

STATEMENT = signed_statement()
COMMITMENT = sign(probe_message(["sha256:" + "1" * 64]), 1)
KEPT = KeptProbe(
    base64.b64encode(STATEMENT).decode("ascii"), "source-accuracy", Label.FAIL, "A" * 22 + "==", "sha256:" + "a" * 64
)


def test_what_is_kept_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "probes.json"
    kept = ProbeFile((KEPT,), (base64.b64encode(COMMITMENT).decode("ascii"),))

    write_probes(path, kept)
    assert read_probes(path) == kept
    assert read_probes(path).probes[0].received == STATEMENT
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [one.name for one in tmp_path.iterdir()] == ["probes.json"]


def test_a_file_that_a_crash_left_behind_is_no_obstacle(tmp_path: Path) -> None:
    path = tmp_path / "probes.json"
    (tmp_path / ".probes.json.new").write_text("half")

    write_probes(path, ProbeFile((KEPT,)))
    assert read_probes(path) == ProbeFile((KEPT,))


def test_what_is_not_there_is_no_empty_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no file of probes"):
        read_probes(tmp_path / "probes.json")


def test_a_file_of_before_there_were_pending_commitments_is_read(tmp_path: Path) -> None:
    path = tmp_path / "probes.json"
    path.touch(0o600)
    path.write_text('{"probes": []}')
    assert read_probes(path) == ProbeFile()


def test_a_commitment_is_pending_until_it_is_accepted_and_a_refused_one_takes_its_probes_along() -> None:
    own = replace(KEPT, commitment=envelope_of(COMMITMENT).signed_hash)
    kept = ProbeFile((KEPT,)).with_commitment(COMMITMENT, [own])
    assert kept.is_pending(own) and not kept.is_pending(KEPT)
    assert kept.pending_messages == (COMMITMENT,)

    assert kept.accepted(COMMITMENT) == ProbeFile((KEPT, own))
    assert kept.refused(COMMITMENT) == ProbeFile((KEPT,))


def test_one_command_at_a_time_works_with_a_file(tmp_path: Path) -> None:
    path = tmp_path / "probes.json"
    with working_with(path), pytest.raises(InputError, match="another command works with"), working_with(path):
        pass
    with working_with(path):
        pass


@pytest.mark.parametrize(
    "text",
    [
        *("", "[]", "{}", '{"probes": 1}', '{"probes": [{"label": "FAIL"}]}', '{"probes": [1]}'),
        *('{"probes": [], "pending": 1}', '{"probes": [], "pending": ["e30="]}'),
    ],
)
def test_what_is_no_file_of_probes_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "probes.json"
    path.touch(0o600)
    path.write_text(text)

    with pytest.raises(InputError, match="is no file of probes"):
        read_probes(path)


def test_a_file_that_others_can_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "probes.json"
    write_probes(path, ProbeFile((KEPT,)))
    path.chmod(0o640)

    with pytest.raises(InputError, match="others can read"):
        read_probes(path)


def test_a_recheck_goes_on_where_it_was_and_forgets_that_at_the_end(tmp_path: Path) -> None:
    place = RecheckPlace(tmp_path)
    assert place.read() == ""

    place.write("sha256:" + "a" * 64)
    assert RecheckPlace(tmp_path).read() == "sha256:" + "a" * 64
    place.clear()
    place.clear()
    assert place.read() == ""
