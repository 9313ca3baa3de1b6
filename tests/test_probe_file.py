"""The operator's file of probes, and the place where a recheck was stopped."""

import base64
import stat
from pathlib import Path

import pytest
from builders import signed_statement

from a2ap.gold_label import Label
from graph.errors import InputError
from graph.evidence.recheck_place import RecheckPlace
from graph.gold.probe_file import KeptProbe, read_probes, write_probes

STATEMENT = signed_statement()
KEPT = KeptProbe(
    base64.b64encode(STATEMENT).decode("ascii"), "source-accuracy", Label.FAIL, "A" * 22 + "==", "sha256:" + "a" * 64
)


def test_what_is_kept_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "probes.json"
    assert read_probes(path) == []

    write_probes(path, [KEPT])
    assert read_probes(path) == [KEPT]
    assert read_probes(path)[0].received == STATEMENT
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [one.name for one in tmp_path.iterdir()] == ["probes.json"]


def test_a_file_that_a_crash_left_behind_is_no_obstacle(tmp_path: Path) -> None:
    path = tmp_path / "probes.json"
    (tmp_path / ".probes.json.new").write_text("half")

    write_probes(path, [KEPT])
    assert read_probes(path) == [KEPT]


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"probes": 1}', '{"probes": [{"label": "FAIL"}]}', '{"probes": [1]}']
)
def test_what_is_no_file_of_probes_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "probes.json"
    path.touch(0o600)
    path.write_text(text)

    with pytest.raises(InputError, match="is no file of probes"):
        read_probes(path)


def test_a_file_that_others_can_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "probes.json"
    write_probes(path, [KEPT])
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
