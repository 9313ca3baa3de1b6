"""Each extra brings the libraries that its part of the package imports, and the package alone those of the client."""

import subprocess
import sys
from collections.abc import Iterable
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from test_project import ROOT, locked_closure, locked_packages

OWN = "a2ap"
_PLUGIN = "a2ap.testing"  # pytest loads it
_OF_EXTRAS = ("a2ap.frames", "a2ap.langchain", "a2ap.mcp", "a2ap.opentelemetry", _PLUGIN)


def allowed(*extras: str) -> set[str]:
    """Return the names of the distributions that the package with these extras brings."""
    (ours,) = locked_packages(OWN)
    needs = [*ours["dependencies"], *(one for extra in extras for one in ours["optional-dependencies"][extra])]
    return {name for name, _ in locked_closure(needs)} | {OWN}


def run(program: str, distributions: Iterable[str]) -> subprocess.CompletedProcess[str]:
    """Run a program that can import only these distributions and the standard library."""
    known = {name.replace("_", "-").lower() for name in distributions}
    blocked = [
        module
        for module, owners in packages_distributions().items()
        if module not in sys.stdlib_module_names and not {owner.replace("_", "-").lower() for owner in owners} & known
    ]
    start = f"import sys\nfor name in {blocked!r}:\n    sys.modules[name] = None\n"
    return subprocess.run([sys.executable, "-c", start + program], cwd=ROOT, capture_output=True, text=True)


def importing(package: str, *, without: tuple[str, ...] = ()) -> str:
    """Return a program that imports every module of a package."""
    return f"""
import importlib, pkgutil
import {package} as package
for found in pkgutil.walk_packages(package.__path__, "{package}."):
    if not found.name.startswith({without!r}) and not found.name.endswith("__main__"):
        importlib.import_module(found.name)
"""


@pytest.mark.parametrize(
    ("program", "extras"),
    [
        (importing("a2ap", without=("a2ap.rdf.expansion", "a2ap.rdf.rdflib_graph", *_OF_EXTRAS)), ()),
        (importing("a2ap", without=_OF_EXTRAS), ("rdf",)),
        (importing("a2ap.langchain"), ("langchain",)),
        (importing("a2ap.opentelemetry"), ("opentelemetry",)),
        (importing("a2ap.mcp") + "import a2ap.mcp.__main__", ("mcp",)),
        (importing("a2ap.frames") + "import pandas", ("pandas",)),
        (importing("a2ap.frames") + "import polars", ("polars",)),
        ("import graph.app, graph.cli.server, graph.platform, arcadedb_embedded", ("server",)),
        ("import graph.demo.picking, graph.demo.topics", ("demo",)),
        ("import graph.export.parquet, pyarrow.parquet", ("tables",)),
        ("import graph.mirror.database, psycopg", ("postgresql",)),
        ("import graph.search.qdrant_vectors", ("qdrant",)),
        ("import graph.sparql.worker, pyoxigraph", ("sparql",)),
        ("import graph.evidence.pdf_worker, pypdf", ("pdf",)),
    ],
    ids=[
        "alone",
        "rdf",
        "langchain",
        "opentelemetry",
        "mcp",
        "pandas",
        "polars",
        "server",
        "demo",
        "tables",
        "postgresql",
        "qdrant",
        "sparql",
        "pdf",
    ],
)
def test_an_extra_brings_what_its_modules_import(program: str, extras: tuple[str, ...]) -> None:
    ended = run(program, allowed(*extras))
    assert ended.returncode == 0, ended.stderr[-2000:]


def test_the_package_alone_has_no_engine_and_no_numerical_library() -> None:
    assert not allowed() & {"arcadedb-embedded", "numpy", "scipy", "fastapi", "typer", "graphql-core", "scikit-learn"}
    assert "scikit-learn" not in allowed("server")


def test_the_command_without_its_extra_names_the_extra() -> None:
    ended = run("from graph.cli import main\nmain()", allowed())
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr == (
        "a2ap: typer is not installed; the command line needs the extra: pip install 'a2ap[server]'\n"
    )


def test_a_frame_without_its_library_names_the_extra() -> None:
    program = """
from a2ap.client import Client
from a2ap.errors import FrameError
try:
    Client("http://127.0.0.1:9").frame("{ statements { nodes { id } } }")
except FrameError as error:
    print(error)
"""
    ended = run(program, allowed())
    assert ended.stdout == "graphql is not installed: it comes with a2ap[pandas]\n", ended.stderr


def test_the_demonstration_without_its_extra_names_the_extra(tmp_path: Path) -> None:
    arguments = ["a2ap", "demo", "--no-serve", "--data", str(tmp_path)]
    program = f"import sys\nsys.argv = {arguments!r}\nfrom graph.cli import main\nmain()"
    ended = run(program, allowed("server"))
    assert ended.returncode == 1
    assert "sklearn is not installed; it comes with the extra: pip install 'a2ap[demo]'" in ended.stderr


@pytest.mark.parametrize(
    ("extra", "package"), [("langchain", "langchain-core"), ("opentelemetry", "opentelemetry-sdk")]
)
def test_an_integration_without_its_extra_names_the_extra(extra: str, package: str) -> None:
    ended = run(f"import a2ap.{extra}", allowed())
    told = f"{package} is not installed; a2ap.{extra} needs the extra: pip install 'a2ap[{extra}]'"
    assert ended.stderr.rstrip().endswith(f"ModuleNotFoundError: {told}")


def test_an_agent_imports_no_framework() -> None:
    program = "import sys\nfrom a2ap import Agent, AsyncAgent\nimport a2ap.agent.operations\n"
    ended = run(
        f"{program}print([name for name in ('langchain_core', 'opentelemetry') if name in sys.modules])",
        allowed("langchain", "opentelemetry"),
    )
    assert ended.stdout == "[]\n"
