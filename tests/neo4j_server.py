"""A Neo4j server for the tests: the one at NEO4J_URI, one in a container, or one from Maven's jars."""

from __future__ import annotations

import secrets
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from neo4j import GraphDatabase
from neo4j.exceptions import DriverError, Neo4jError

from graph.database.endpoint import Endpoint

VERSION = "5.26.12"
WHERE = "the tests look for, in this order: NEO4J_URI; a Docker engine (testcontainers); Maven and Java"

_POM = f"""<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>a2ap.tests</groupId><artifactId>neo4j</artifactId><version>1</version>
  <dependencies>
    <dependency><groupId>org.neo4j</groupId><artifactId>neo4j</artifactId><version>{VERSION}</version></dependency>
    <dependency>
      <groupId>org.neo4j.app</groupId><artifactId>neo4j-server</artifactId><version>{VERSION}</version>
    </dependency>
  </dependencies>
</project>
"""

_CONF = """server.bolt.listen_address=127.0.0.1:{port}
server.bolt.advertised_address=127.0.0.1:{port}
server.http.enabled=false
dbms.usage_report.enabled=false
dbms.security.allow_csv_import_from_file_urls=false
server.memory.pagecache.size=64m
db.tx_log.preallocate=false
"""

_JAVA_OPTIONS = (
    "--add-opens=java.base/java.nio=ALL-UNNAMED",
    "--add-opens=java.base/java.io=ALL-UNNAMED",
    "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
    "--add-opens=java.base/java.util.concurrent=ALL-UNNAMED",
    "--add-opens=java.base/java.lang=ALL-UNNAMED",
    "--add-exports=jdk.unsupported/sun.misc=ALL-UNNAMED",
    "-Dio.netty.tryReflectionSetAccessible=true",
)


class NoNeo4jError(Exception):
    """There is no Neo4j to test with; the message says where it was looked for."""


@contextmanager
def neo4j_server(env: Mapping[str, str], home: Path, *, heap: str = "512m") -> Iterator[Endpoint]:
    """Yield a running Neo4j whose database may be emptied; `home` is a folder for what it keeps."""
    if env.get("NEO4J_URI"):
        yield _at_uri(env)
    elif _docker_answers():
        with _in_container() as endpoint:
            yield endpoint
    elif shutil.which("mvn") and shutil.which("java"):
        with _from_jars(_jars(_cache(env)), home, heap) as endpoint:
            yield endpoint
    else:
        raise NoNeo4jError(WHERE)


def _at_uri(env: Mapping[str, str]) -> Endpoint:
    endpoint = Endpoint(
        uri=env["NEO4J_URI"],
        user=env.get("NEO4J_USER") or "neo4j",
        password=env.get("NEO4J_PASSWORD", ""),
        database=env.get("NEO4J_DATABASE") or "neo4j",
        kind="neo4j",
    )
    with GraphDatabase.driver(endpoint.uri, auth=(endpoint.user, endpoint.password)) as driver:
        found = driver.execute_query("MATCH (n) RETURN count(n) AS n", database_=endpoint.database)
    if found.records[0]["n"]:
        raise RuntimeError(
            f"the tests would empty the database at NEO4J_URI, which holds {found.records[0]['n']} nodes"
        )
    return endpoint


def _docker_answers() -> bool:
    from testcontainers.core.docker_client import DockerClient

    try:
        return bool(DockerClient(timeout=5).client.ping())
    except Exception:  # whatever keeps the engine from answering, it is none for us
        return False


@contextmanager
def _in_container() -> Iterator[Endpoint]:
    from testcontainers.community.neo4j import Neo4jContainer

    password = secrets.token_urlsafe(16)
    container = Neo4jContainer(f"neo4j:{VERSION}-community", password=password, username="neo4j")
    container.with_env("NEO4J_dbms_security_allow__csv__import__from__file__urls", "false")
    with container:
        yield Endpoint(container.get_connection_url(), "neo4j", password, "neo4j", "neo4j")


def _cache(env: Mapping[str, str]) -> Path:
    base = Path(env["XDG_CACHE_HOME"]) if env.get("XDG_CACHE_HOME") else Path.home() / ".cache"
    return base / "a2ap-tests" / f"neo4j-{VERSION}"


def _jars(folder: Path) -> Path:
    """Return a folder with the server's jars, fetched once; it appears whole, also for two runs at once."""
    jars = folder / "jars"
    if jars.is_dir():
        return jars
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as work:
        pom = Path(work) / "pom.xml"
        pom.write_text(_POM, encoding="utf-8")
        copy = ("dependency:copy-dependencies", f"-DoutputDirectory={work}/lib", "-DincludeScope=runtime")
        try:
            subprocess.run(("mvn", "-q", "-B", "-f", str(pom), *copy), check=True, stdin=subprocess.DEVNULL)
        except subprocess.CalledProcessError as error:
            raise NoNeo4jError(f"{WHERE}; Maven could not fetch it") from error
        with suppress(OSError):  # the other run was faster
            (Path(work) / "lib").rename(jars)
    return jars


@contextmanager
def _from_jars(jars: Path, home: Path, heap: str) -> Iterator[Endpoint]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    for name in ("conf", "data", "logs", "run", "import", "plugins"):
        (home / name).mkdir(parents=True)
    (home / "conf" / "neo4j.conf").write_text(_CONF.format(port=port), encoding="utf-8")
    with (home / "logs" / "console.log").open("wb") as log:
        server = subprocess.Popen(
            [
                *("java", f"-Xmx{heap}", *_JAVA_OPTIONS, "-cp", f"{jars}/*"),
                "org.neo4j.server.CommunityEntryPoint",
                *(f"--home-dir={home}", f"--config-dir={home}/conf"),
            ],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        password = secrets.token_urlsafe(16)
        _set_password(server, f"bolt://127.0.0.1:{port}", password, home)
        yield Endpoint(f"bolt://127.0.0.1:{port}", "neo4j", password, "neo4j", "neo4j")
    finally:
        server.kill()  # its files are thrown away, and an orderly end takes ten seconds
        server.wait()


def _set_password(server: subprocess.Popen[bytes], uri: str, password: str, home: Path) -> None:
    deadline = time.monotonic() + 180
    while True:
        try:
            with GraphDatabase.driver(uri, auth=("neo4j", "neo4j"), max_transaction_retry_time=0) as driver:
                driver.execute_query(
                    "ALTER CURRENT USER SET PASSWORD FROM 'neo4j' TO $password",
                    {"password": password},
                    database_="system",
                )
            return
        except (DriverError, Neo4jError) as error:
            if server.poll() is not None or time.monotonic() > deadline:
                console = (home / "logs" / "console.log").read_text(encoding="utf-8", errors="replace")
                raise RuntimeError(f"Neo4j does not start: {console[-2000:]}") from error
            time.sleep(0.1)
