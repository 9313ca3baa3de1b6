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

_KEEP_PLANS = "dbms.cypher.min_replan_interval=1h\n"

_PATIENCE = 600.0  # seconds; on a busy machine a start takes minutes

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
def neo4j_server(
    env: Mapping[str, str], home: Path, *, heap: str = "512m", keep_plans: bool = False
) -> Iterator[Endpoint]:
    """Yield a running Neo4j whose database may be emptied; `home` is a folder for what it keeps.

    With `keep_plans`, for a server of many tests, a query is planned once, however the numbers of nodes change: for a
    database that is emptied after each test, queries would be planned again and again. Its Java compiles twice, which
    is worth it for the planner.
    """
    if env.get("NEO4J_URI"):
        yield _at_uri(env)
    elif _docker_answers():
        with _in_container() as endpoint:
            yield endpoint
    elif shutil.which("mvn") and shutil.which("java"):
        settings = _KEEP_PLANS if keep_plans else ""
        with neo4j_process(env, home, heap=heap, settings=settings, compile_twice=keep_plans) as process:
            yield process.endpoint
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


def maven_jars(env: Mapping[str, str]) -> Path:
    """Return a folder with the jars of the server and of `neo4j-admin`; raises NoNeo4jError."""
    if not (shutil.which("mvn") and shutil.which("java")):
        raise NoNeo4jError("`neo4j-admin` comes with Maven and Java")
    return _jars(_cache(env))


@contextmanager
def neo4j_process_in(jars: Path, home: Path, *, heap: str = "512m", settings: str = "") -> Iterator[Neo4jProcess]:
    """Yield a Neo4j of one's own that was not started yet; it is gone afterwards."""
    process = Neo4jProcess(jars, home, heap, settings)
    try:
        yield process
    finally:
        process.kill()


@contextmanager
def neo4j_process(
    env: Mapping[str, str], home: Path, *, heap: str = "512m", settings: str = "", compile_twice: bool = False
) -> Iterator[Neo4jProcess]:
    """Yield a running Neo4j of one's own that may be killed and started again; raises NoNeo4jError."""
    if not (shutil.which("mvn") and shutil.which("java")):
        raise NoNeo4jError("a Neo4j that is killed is made with Maven and Java")
    process = Neo4jProcess(_jars(_cache(env)), home, heap, settings, compile_twice=compile_twice)
    process.start()
    try:
        process.choose_password()
        yield process
    finally:
        process.kill()  # its files are thrown away, and an orderly end takes ten seconds


class Neo4jProcess:
    """A server from Maven's jars, on one folder and one port, from `start` to `kill` and on to the next `start`."""

    def __init__(self, jars: Path, home: Path, heap: str, settings: str = "", *, compile_twice: bool = False) -> None:
        self.home = home
        # The command line has the last word: JAVA_TOOL_OPTIONS has all other engines compile once (`quick_java`).
        tiers = ["-XX:TieredStopAtLevel=4"] if compile_twice else []
        self._command = [
            *("java", f"-Xmx{heap}", *tiers, *_JAVA_OPTIONS, "-cp", f"{jars}/*"),
            "org.neo4j.server.CommunityEntryPoint",
            *(f"--home-dir={home}", f"--config-dir={home}/conf"),
        ]
        self._process: subprocess.Popen[bytes] | None = None
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.endpoint = Endpoint(f"bolt://127.0.0.1:{port}", "neo4j", secrets.token_urlsafe(16), "neo4j", "neo4j")
        for name in ("conf", "data", "logs", "run", "import", "plugins"):
            (home / name).mkdir(parents=True)
        (home / "conf" / "neo4j.conf").write_text(_CONF.format(port=port) + settings, encoding="utf-8")

    def start(self) -> None:
        """Start it; it does not answer yet when this returns."""
        with (self.home / "logs" / "console.log").open("ab") as log:
            self._process = subprocess.Popen(
                self._command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def kill(self) -> None:
        """End it at once, and wait until it is gone."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def choose_password(self) -> None:
        """Wait for the first start, and set the password of the endpoint."""
        change = "ALTER CURRENT USER SET PASSWORD FROM 'neo4j' TO $password"
        self._wait_for("neo4j", "system", change, {"password": self.endpoint.password})

    def wait_until_it_answers(self) -> None:
        """Wait for a later start."""
        self._wait_for(self.endpoint.password, self.endpoint.database, "RETURN 1 AS one", {})

    def _wait_for(self, password: str, database: str, query: str, parameters: dict[str, str]) -> None:
        deadline = time.monotonic() + _PATIENCE
        auth = ("neo4j", password)
        while True:
            try:
                with GraphDatabase.driver(self.endpoint.uri, auth=auth, max_transaction_retry_time=0) as driver:
                    driver.execute_query(query, parameters, database_=database)
                return
            except (DriverError, Neo4jError) as error:
                ended = self._process is None or self._process.poll() is not None
                if ended or time.monotonic() > deadline:
                    console = (self.home / "logs" / "console.log").read_text(encoding="utf-8", errors="replace")
                    raise RuntimeError(f"Neo4j does not start: {console[-2000:]}") from error
                time.sleep(0.1)
