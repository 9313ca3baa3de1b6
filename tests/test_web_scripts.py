"""The scripts of the pages: their types, and their own tests, which read the vectors that the Python tests read."""

import os
import subprocess
from pathlib import Path

import pytest
from npm_tool import NoNpmError, install

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of `web/` with its packages, beside the vectors of the tests."""
    folder = tmp_path_factory.mktemp("npm")
    (folder / "tests").symlink_to(ROOT / "tests")
    try:
        return install(ROOT / "web", folder)
    except NoNpmError as error:
        if os.environ.get("CI"):
            pytest.fail(str(error), pytrace=False)
        pytest.skip(str(error))


@pytest.mark.parametrize("command", ["check", "test"])
def test_the_scripts_have_sound_types_and_pass_their_tests(web: Path, command: str) -> None:
    done = subprocess.run(
        ["npm", "run", command], cwd=web, capture_output=True, text=True, env={**os.environ, "CI": "true"}
    )
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]
