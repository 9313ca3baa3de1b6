"""The layers: graph imports a2ap and cypher, a2ap contexts; a2ap does no I/O, and graph is a stack of packages."""

import ast
import os
import shutil
import subprocess
import sys
import tomllib
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
DOES_IO = (
    ROOT / "a2ap" / "client",
    ROOT / "a2ap" / "testing",
    ROOT / "a2ap" / "mcp",
    ROOT / "a2ap" / "verifier",
    *(ROOT / "a2ap" / f"{name}.py" for name in ("durable_files", "file_lock", "key_file")),
    *(
        ROOT / "a2ap" / "agent" / f"{name}.py"
        for name in (
            "base",
            "agent",
            "async_agent",
            "connections",
            "content",
            "kept_packs",
            "known_logs",
            "outbox",
            "runs",
        )
    ),
)


def files_of(name: str) -> list[Path]:
    """Return the files of a module, or of all modules of a package."""
    path = ROOT.joinpath(*name.split("."))
    return sorted(path.rglob("*.py")) if path.is_dir() else [path.with_suffix(".py")]


CONTRACTS = {
    one["id"]: one for one in tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
}
DECIDES_ALONE = sorted(
    {
        *(path for path in (ROOT / "a2ap").rglob("*.py") if not {path, path.parent} & set(DOES_IO)),
        *(path for name in CONTRACTS["pure"]["source_modules"] for path in files_of(name)),
    }
)
AGAINST_THE_LAYERS = (
    ("a2ap/messages/one.py", "import graph.errors"),
    ("a2ap/messages/two.py", "import cypher"),
    ("a2ap/messages/three.py", "import socket"),
    ("a2ap/messages/four.py", "import os"),
    ("a2ap/messages/five.py", "import httpx"),
    ("a2ap/messages/six.py", "import neo4j"),
    ("a2ap/messages/seven.py", "import sqlite3"),
    ("a2ap/messages/eight.py", "import a2ap.key_file"),
    ("a2ap/messages/nine.py", "import a2ap.client.answers"),
    ("a2ap/signing/one.py", "import a2ap.messages.statement"),
    ("a2ap/agent/one.py", "import a2ap.mcp.quoted"),
    ("a2ap/agent/two.py", "import a2ap.langchain.values"),
    ("a2ap/rdf/one.py", "import a2ap.packet.canon"),
    ("contexts/one.py", "import a2ap"),
    ("contexts/two.py", "import graph"),
    ("cypher/one.py", "import a2ap"),
    ("cypher/two.py", "import contexts"),
    ("cypher/three.py", "import graph"),
    ("graph/scoring/consensus.py", "import time"),
    ("graph/kinds/admission.py", "import neo4j"),
    ("graph/dictionary/term.py", "import graph.export.steps"),
    ("graph/export/steps.py", "import graph.mirror.table"),
    ("graph/log/entry.py", "import graph.submission.ledger"),
    ("graph/gold/standing.py", "import graph.disputes.detector"),
    ("graph/platform.py", "import graph.services.retention_job"),
)


def lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    program = Path(sys.executable).with_name("lint-imports")
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    return subprocess.run(
        [program, "--no-logo", "--no-cache"], cwd=folder, env=environment, capture_output=True, text=True
    )


@pytest.fixture(scope="module")
def spoilt(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Give the linter's report on a copy of the four packages with all imports against the layers, and one package that
    has no place in them."""
    folder = tmp_path_factory.mktemp("spoilt")
    for package in ("a2ap", "contexts", "cypher", "graph"):
        shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    for module, line in AGAINST_THE_LAYERS:
        with (folder / module).open("a") as file:
            file.write(f"\n{line}\n")
    for package in ("a2ap", "graph"):
        (folder / package / "unplaced").mkdir()
        (folder / package / "unplaced" / "__init__.py").touch()
    checked = lint_imports(folder)
    assert checked.returncode == 1
    return checked.stdout


def test_the_layers_hold():
    checked = lint_imports(ROOT)
    assert checked.returncode == 0, checked.stdout


@pytest.mark.parametrize(("module", "line"), AGAINST_THE_LAYERS)
def test_an_import_against_the_layers_is_found(spoilt: str, module: str, line: str):
    assert f"{module.removesuffix('.py').replace('/', '.')} -> {line.split()[1]}" in spoilt


@pytest.mark.parametrize("package", ["a2ap", "graph"])
def test_a_package_without_a_place_in_the_layers_is_found(spoilt: str, package: str):
    assert f"{package}.unplaced" in spoilt


def test_every_module_of_the_protocol_is_one_that_does_no_io_or_is_a_named_exception():
    children = {f"a2ap.{path.stem}" for path in (ROOT / "a2ap").iterdir() if path.suffix in ("", ".py")}
    stated = {*CONTRACTS["io"]["source_modules"], *CONTRACTS["io-exceptions"]["protected_modules"]}
    above = [name for layer in CONTRACTS["protocol"]["layers"][:2] for name in layer.split(" | ")]
    stated |= {f"a2ap.{name}" for name in above}  # the agent and all above it
    assert children - {"a2ap.__init__", "a2ap.__pycache__"} == stated


@pytest.mark.parametrize("path", DECIDES_ALONE, ids=lambda path: path.name)
def test_what_decides_asks_no_clock_no_chance_and_no_file(path: Path):
    calls = [node.func for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)]
    names = {call.attr if isinstance(call, ast.Attribute) else getattr(call, "id", "") for call in calls}
    assert names.isdisjoint(IMPURE_CALLS), names & IMPURE_CALLS
