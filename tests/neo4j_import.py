"""A Neo4j that `neo4j-admin database import` filled from a folder of tables, from Maven's jars.

It has the settings of the copy for Neo4j Browser in docker-compose.yml, so that nothing can be written to it.
"""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import yaml
from neo4j import GraphDatabase
from neo4j.exceptions import Neo4jError
from neo4j_server import NoNeo4jError, maven_jars, neo4j_process_in

from graph.database.endpoint import Endpoint

_COMPOSE = yaml.safe_load((Path(__file__).resolve().parent.parent / "docker-compose.yml").read_text("utf-8"))
BROWSER_SETTINGS = {
    # As the image reads them: two underscores are one, and one is a dot.
    name.removeprefix("NEO4J_").replace("__", "\0").replace("_", ".").replace("\0", "_"): value
    for name, value in _COMPOSE["services"]["browser"]["environment"].items()
    if name.startswith("NEO4J_server_databases")
}
_WRITES = (
    "CREATE (n:Agent {agent_id: 'new'}) RETURN n",
    "MATCH (n) SET n.verified = true",
    "MATCH (n) DETACH DELETE n",
    "MATCH (n:Agent) REMOVE n:Agent",
    "MATCH (a:Agent), (b:Agent) MERGE (a)-[:ENDORSED]->(b)",
    "MATCH (n) CALL (n) { DELETE n } IN TRANSACTIONS",
    "FOREACH (i IN [1] | CREATE (:Agent))",
    "CREATE INDEX some FOR (n:Agent) ON (n.name)",
    "CREATE CONSTRAINT some FOR (n:Agent) REQUIRE n.name IS UNIQUE",
    "CALL db.createLabel('New')",
)
_UNDOES = (
    "ALTER DATABASE neo4j SET ACCESS READ WRITE",
    "CREATE DATABASE other",
    "CALL dbms.setConfigValue('server.databases.read_only', '')",
)


def takes_no_write(endpoint: Endpoint) -> bool:
    """Say whether the owner of a Neo4j can neither write to its graph nor undo that, in sessions that ask to write."""
    auth = (endpoint.user, endpoint.password)
    with GraphDatabase.driver(endpoint.uri, auth=auth, notifications_min_severity="OFF") as driver:
        before = driver.execute_query("MATCH (n) RETURN count(n) AS nodes, sum(size(keys(n))) AS properties").records
        for query in (*_UNDOES, *_WRITES):
            for database in ("neo4j", "system") if query in _UNDOES else ("neo4j",):
                try:
                    with driver.session(database=database) as session:
                        session.run(query).consume()
                except Neo4jError:
                    continue
                raise AssertionError(f"{query} was run")
        after = driver.execute_query("MATCH (n) RETURN count(n) AS nodes, sum(size(keys(n))) AS properties").records
    return before == after and before[0]["nodes"] > 0


@contextmanager
def imported(tables: Path, home: Path) -> Iterator[Endpoint]:
    """Yield a running Neo4j with what `import.args` of the folder imports; skips where there is no Maven or Java."""
    try:
        jars = maven_jars(os.environ)
    except NoNeo4jError as error:
        if os.environ.get("CI"):
            pytest.fail(str(error), pytrace=False)
        pytest.skip(str(error))
    settings = "".join(f"{name}={value}\n" for name, value in BROWSER_SETTINGS.items())
    with neo4j_process_in(jars, home, settings=settings) as process:
        java = shutil.which("java") or "java"
        command = [java, "-Xmx512m", "-cp", f"{jars}/*", "org.neo4j.cli.AdminTool"]
        arguments = ["database", "import", "full", "neo4j", "--overwrite-destination", "@import.args"]
        environment = {**os.environ, "NEO4J_HOME": str(home), "NEO4J_CONF": str(home / "conf")}
        done = subprocess.run(
            [*command, *arguments], cwd=tables, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
        process.start()
        process.choose_password()
        yield process.endpoint
