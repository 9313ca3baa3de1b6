"""ProvToolbox for the tests: PROV's own library in Java, which says of documents whether they are valid."""

import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from a2ap.prov import PROVN_END, Bundle, provn_bundle, provn_header

SOURCE = Path(__file__).parent / "prov_judge"
WHERE = "the tests look for a Java compiler (17 or newer) and Maven on the PATH, and for Maven Central behind it"


class NoJudgeError(Exception):
    """There is no ProvToolbox to test with; the message says what is missing."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What is said of a document: VALID, or what is wrong, and the number of its records."""

    verdict: str
    records: int


@dataclass(frozen=True, slots=True)
class ProvJudge:
    """A compiled `Judge.java` with the jars that it needs."""

    classes: Path

    def judge(self, *files: Path) -> list[Judgement]:
        """Return what is said of these files, in their order."""
        command = ["java", "-cp", f"{self.classes}:{self.classes}/lib/*", "Judge", *map(str, files)]
        found = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        told = {line[0]: Judgement(line[1], int(line[2])) for line in _lines(found) if len(line) == 3}
        return [told[str(file)] for file in files]


@pytest.fixture(scope="session")
def prov_judge(tmp_path_factory: pytest.TempPathFactory) -> ProvJudge:
    """Return the judge, built once for all modules; skip where it cannot be had, and fail in CI."""
    folder = tmp_path_factory.getbasetemp() / "prov-judge"
    if (folder / "Judge.class").exists():
        return ProvJudge(folder)
    folder.mkdir(exist_ok=True)
    try:
        return build_prov_judge(folder)
    except NoJudgeError as error:
        if os.environ.get("CI"):
            pytest.fail(str(error), pytrace=False)
        pytest.skip(str(error))


def build_prov_judge(folder: Path) -> ProvJudge:
    """Return the judge, built in a folder; raises `NoJudgeError`."""
    missing = [name for name in ("javac", "java", "mvn") if shutil.which(name) is None]
    if missing:
        raise NoJudgeError(f"no {' and no '.join(missing)}: {WHERE}")
    fetch = ["mvn", "-q", "-B", "-f", str(SOURCE / "pom.xml"), "dependency:copy-dependencies"]
    fetched = subprocess.run([*fetch, f"-DoutputDirectory={folder / 'lib'}"], capture_output=True, text=True)
    if fetched.returncode:
        raise NoJudgeError(f"Maven does not get ProvToolbox: {fetched.stdout.strip()[-500:]}; {WHERE}")
    compile = ["javac", "-cp", f"{folder}/lib/*", "-d", str(folder), str(SOURCE / "Judge.java")]
    subprocess.run(compile, check=True)
    return ProvJudge(folder)


def flat_provn(bundles: Sequence[Bundle]) -> str:
    """Return a document that has the records of bundles as its own: the judge orders events within one only."""
    lines = [line for bundle in bundles for line in provn_bundle(bundle).splitlines(keepends=True)[1:-1]]
    return provn_header("a test") + "".join(lines) + PROVN_END


def _lines(text: str) -> Sequence[list[str]]:
    return [line.split("\t") for line in text.splitlines()]
