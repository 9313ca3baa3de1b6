"""The page about neighbouring formats is true: its history can be made, told, and walked from its first input."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from cli_runner import PATIENCE, environment, serving

from a2ap.passport.profile import PayloadProfile

TEXT = (Path(__file__).resolve().parent.parent / "docs" / "formats.md").read_text("utf-8")

CLERK = """
printf 'The clerk came.\\nThe council voted five to two to keep the height limit at forty feet.\\n' > minutes.txt
for name in clerk writer; do
  a2ap keygen --out $name.key --agent urn:agent:$name > /dev/null
  a2ap register --key $name.key --name $name --version 1 --publisher "City clerk" > /dev/null
done
a2ap source add minutes.txt --urn urn:doc:example:minutes --title "Minutes of the council" --key clerk.key > /dev/null
a2ap claim "The height limit stays at forty feet." --quote "keep the height limit at forty feet" --confidence 0.9 \\
  --source minutes.txt --urn urn:doc:example:minutes --key clerk.key > /dev/null
"""


@pytest.mark.parametrize("profile", PayloadProfile)
def test_every_profile_of_a_payload_has_the_implementation_that_it_matched(profile: PayloadProfile) -> None:
    assert f"`{profile}`" in TEXT.partition("## What maps")[0]


def test_every_schema_that_is_shipped_is_named_and_every_one_named_is_shipped() -> None:
    root = Path(__file__).resolve().parent.parent
    named = {(root / "docs" / one).resolve() for one in re.findall(r"\((\S+\.schema\.json)\)", TEXT)}
    assert named == set((root / "a2ap").rglob("*.schema.json"))
    formats = {path.parent.name for path in named}
    assert formats == {"a2ap", "passport", "pack", "packet"}


def test_the_history_of_the_page_is_told_in_order_and_reached_from_its_source(tmp_path: Path) -> None:
    commands = re.findall(r"^```sh\n(.*?)^```$", TEXT, re.M | re.S)
    work = tmp_path / "work"
    work.mkdir()
    with serving(tmp_path / "data") as (_, address):
        path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        ended = subprocess.run(
            ["bash", "-c", "set -euo pipefail\n" + CLERK + "\necho =====\n".join(["", *commands])],
            cwd=work,
            env=environment(A2AP_URL=address, PATH=path, A2AP_DATA=str(tmp_path / "data")),
            capture_output=True,
            text=True,
            timeout=3 * PATIENCE,
        )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    story, reached = ended.stdout.split("=====\n")[-2:]
    parts = re.findall(r"^\d+  ([a-z ]+?) (?:urn|sha256|cpk|ctx|did)", story, re.M)
    kinds = [kind for kind in parts if kind in ("source", "packet", "pack", "passport")]
    assert [kind for kind in kinds if kind != "source"] == ["packet", "pack", "passport"]
    assert parts[0] == "source" and parts.count("statement") == 2
    assert all(f"  {kind} " in reached for kind in ("statement", "packet", "pack", "passport"))
