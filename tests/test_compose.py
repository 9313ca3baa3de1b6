"""The container files: what `docker-compose.yml` and the Dockerfile promise, checked without an engine."""

import fnmatch
import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from neo4j_server import VERSION as NEO4J_VERSION

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
DOCKERFILE = (ROOT / "Dockerfile").read_text().replace("\\\n", " ")


def compose_command() -> list[str]:
    if shutil.which("docker-compose"):
        return ["docker-compose"]
    if shutil.which("docker") and subprocess.run(["docker", "compose", "version"], capture_output=True).returncode == 0:
        return ["docker", "compose"]
    pytest.skip("neither docker-compose nor docker compose is installed (Debian: apt-get install docker-compose)")


def compose_config(folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run `docker-compose config` on a copy, so that no .env of the working folder is read."""
    shutil.copy(ROOT / "docker-compose.yml", folder)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("NEO4J_", "A2AP_"))}
    command = [*compose_command(), "-f", "docker-compose.yml", "config"]
    return subprocess.run(command, cwd=folder, env={**kept, **variables}, capture_output=True, text=True)


def instructions(name: str) -> list[str]:
    return re.findall(rf"^{name} (.+)$", DOCKERFILE, flags=re.MULTILINE)


def test_compose_accepts_the_file_and_fills_in_the_password(tmp_path: Path):
    given = compose_config(tmp_path, NEO4J_PASSWORD="a-long-password")
    assert given.returncode == 0, given.stderr
    services = yaml.safe_load(given.stdout)["services"]
    assert services["platform"]["environment"]["NEO4J_PASSWORD"] == "a-long-password"
    assert services["neo4j"]["environment"]["NEO4J_AUTH"] == "neo4j/a-long-password"


@pytest.mark.parametrize("variables", [{}, {"NEO4J_PASSWORD": ""}], ids=["absent", "empty"])
def test_compose_refuses_to_start_without_a_password(tmp_path: Path, variables: dict[str, str]):
    given = compose_config(tmp_path, **variables)
    assert given.returncode != 0
    assert "put NEO4J_PASSWORD into .env or the environment" in given.stderr


def test_the_platform_waits_until_neo4j_is_healthy():
    assert SERVICES["platform"]["depends_on"] == {"neo4j": {"condition": "service_healthy"}}


@pytest.mark.parametrize("service", SERVICES, ids="service_{}".format)
def test_every_service_has_a_health_check_and_comes_back_after_a_crash(service: str):
    assert {"test", "interval", "timeout", "retries", "start_period"} <= SERVICES[service]["healthcheck"].keys()
    assert SERVICES[service]["restart"] == "unless-stopped"


@pytest.mark.parametrize("service", SERVICES, ids="service_{}".format)
def test_every_port_is_on_loopback_unless_somebody_says_otherwise(service: str):
    for port in SERVICES[service]["ports"]:
        assert re.match(r"(127\.0\.0\.1|\$\{[A-Z0-9_]+:-127\.0\.0\.1\}):", port), port


@pytest.mark.parametrize("service", SERVICES, ids="service_{}".format)
def test_what_a_service_keeps_is_in_a_named_volume(service: str):
    volumes = [volume.split(":") for volume in SERVICES[service]["volumes"]]
    assert "/data" in [path for _, path in volumes]
    assert all(name in COMPOSE["volumes"] for name, _ in volumes)


def test_no_password_is_written_in_the_file():
    for service in SERVICES.values():
        for name, value in service["environment"].items():
            if name.endswith(("PASSWORD", "TOKEN", "AUTH")):
                assert value.removeprefix("neo4j/").startswith("${"), name


def test_the_platform_reaches_neo4j_by_the_settings_it_reads():
    environment = SERVICES["platform"]["environment"]
    assert environment["NEO4J_URI"] == "bolt://neo4j:7687"
    read = (ROOT / "graph" / "settings.py").read_text()
    assert all(f'"{name}"' in read for name in environment)


def test_neo4j_is_the_version_that_the_tests_run_on():
    assert SERVICES["neo4j"]["image"] == f"neo4j:{NEO4J_VERSION}-community"


def test_neo4j_reads_no_files_and_reports_nothing():
    neo4j = SERVICES["neo4j"]
    assert neo4j["environment"]["NEO4J_dbms_security_allow__csv__import__from__file__urls"] == "false"
    assert neo4j["environment"]["NEO4J_dbms_usage__report_enabled"] == "false"
    # The image takes every NEO4J_ variable that it does not know for a setting, and these two are none.
    assert not {"NEO4J_PASSWORD", "NEO4J_USER"} & neo4j["environment"].keys()


def test_the_image_carries_the_projects_version():
    assert SERVICES["platform"]["image"] == f"a2ap:{PROJECT['version']}"


def test_the_platform_cannot_gain_rights_or_write_outside_its_data():
    platform = SERVICES["platform"]
    assert platform["cap_drop"] == ["ALL"]
    assert platform["security_opt"] == ["no-new-privileges:true"]
    assert platform["read_only"] is True


def test_the_image_is_built_from_a_pinned_base_and_runs_as_nobody_special():
    assert all(re.match(r"python:3\.\d+(\.\d+)?-slim-[a-z]+( AS [a-z]+)?$", base) for base in instructions("FROM"))
    assert instructions("USER")[-1] not in ("root", "0")
    assert instructions("HEALTHCHECK")
    assert instructions("EXPOSE") == ["8000"]
    assert instructions("VOLUME") == ["/data"]


def test_the_image_installs_only_what_is_hashed():
    installs = [step for run in instructions("RUN") for step in re.findall(r"pip install [^&]+", run)]
    assert installs
    assert all(
        "--require-hashes" in step or ("--no-deps" in step and "--no-build-isolation" in step) for step in installs
    )


def test_everything_the_image_copies_exists_and_is_sent_to_the_build():
    rules = [line for line in (ROOT / ".dockerignore").read_text().splitlines() if line and not line.startswith("#")]
    assert rules[0] == "*", "the build sees only what is named"
    named = [rule.removeprefix("!") for rule in rules if rule.startswith("!")]
    sources = [source for step in instructions("COPY") if "--from" not in step for source in step.split()[:-1]]
    for source in sources:
        assert (ROOT / source).exists(), source
        assert any(fnmatch.fnmatch(source, pattern) for pattern in named), source
