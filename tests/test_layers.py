"""The layers: graph imports a2ap and cypher, a2ap contexts; a2ap does no I/O, and the dictionary knows no door."""

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
IMPURE_CALLS = {
    "open",
    "input",
    "print",
    "now",  # datetime.now: what time it is enters as an argument
    "utcnow",
    "today",
    "uuid1",
    "uuid4",
    "urandom",
    "urlopen",
    "getaddrinfo",
    "getenv",
}
DOES_IO = ("client.py", "key_file.py")
PURE = (
    "epochs/due.py",
    "evidence/machine_check.py",
    "log/signatures.py",
    "quotas/charge.py",
    "quotas/decision.py",
    "scoring/accuracy.py",
    "scoring/beta.py",
    "scoring/comparison.py",
    "scoring/consensus.py",
    "scoring/literal.py",
    "scoring/posterior.py",
    "scoring/quorum.py",
    "scoring/reliabilities.py",
    "scoring/reputation.py",
    "scoring/reputation_parts.py",
    "scoring/result.py",
    "scoring/trust_mass.py",
    "scoring/votes.py",
)
DECIDES_ALONE = [
    *sorted(path for path in (ROOT / "a2ap").rglob("*.py") if path.name not in DOES_IO),
    *sorted((ROOT / "graph" / "kinds").glob("*.py")),
    *(ROOT / "graph" / name for name in PURE),
]


def lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    program = Path(sys.executable).with_name("lint-imports")
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    return subprocess.run(
        [program, "--no-logo", "--no-cache"], cwd=folder, env=environment, capture_output=True, text=True
    )


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Give a copy of the four packages that a test may spoil."""
    for package in ("a2ap", "contexts", "cypher", "graph"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def test_the_layers_hold():
    checked = lint_imports(ROOT)
    assert checked.returncode == 0, checked.stdout


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("a2ap/spoilt.py", "from graph import errors"),
        ("a2ap/spoilt.py", "import cypher"),
        ("a2ap/spoilt.py", "import socket"),
        ("a2ap/spoilt.py", "from os import environ"),
        ("a2ap/spoilt.py", "import httpx"),
        ("a2ap/spoilt.py", "import neo4j"),
        ("a2ap/spoilt.py", "import sqlite3"),
        ("a2ap/spoilt.py", "import a2ap.key_file"),
        ("contexts/spoilt.py", "import a2ap"),
        ("contexts/spoilt.py", "import graph"),
        ("graph/scoring/consensus.py", "import time"),
        ("graph/kinds/admission.py", "import neo4j"),
        ("graph/dictionary/term.py", "import graph.export.steps"),
        ("graph/export/steps.py", "import graph.mirror.table"),
        ("cypher/spoilt.py", "import a2ap"),
        ("cypher/spoilt.py", "import contexts"),
        ("cypher/spoilt.py", "import graph"),
    ],
)
def test_an_import_against_the_layers_is_found(copy: Path, module: str, line: str):
    with (copy / module).open("a") as file:
        file.write(f"\n{line}\n")
    checked = lint_imports(copy)
    assert checked.returncode == 1
    assert f"{module.removesuffix('.py').replace('/', '.')} -> {line.split()[1]}" in checked.stdout


@pytest.mark.parametrize("path", DECIDES_ALONE, ids=lambda path: path.name)
def test_what_decides_asks_no_clock_no_chance_and_no_file(path: Path):
    calls = [node.func for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)]
    names = {call.attr if isinstance(call, ast.Attribute) else getattr(call, "id", "") for call in calls}
    assert names.isdisjoint(IMPURE_CALLS), names & IMPURE_CALLS
