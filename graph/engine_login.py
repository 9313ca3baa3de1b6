"""Logging in to the embedded engine: whether it answers, and the second user, who can only read."""

from __future__ import annotations

import json
import socket

import httpx
from neo4j import GraphDatabase
from neo4j.exceptions import DriverError, Neo4jError

from graph.engine_files import EngineFolder
from graph.engine_process import DATABASE
from graph.errors import StoreUnavailableError

READER = "reader"

_GROUP = {"database": DATABASE, "name": READER, "access": [], "types": {"*": {"access": ["readRecord"]}}}


def answers(bolt_port: int, folder: EngineFolder) -> bool:
    """Say whether the engine takes our password over Bolt and has its database open."""
    try:
        socket.create_connection(("127.0.0.1", bolt_port), timeout=1.0).close()
        with GraphDatabase.driver(
            f"bolt://127.0.0.1:{bolt_port}",
            auth=("root", folder.password("root")),
            connection_timeout=5.0,
            max_transaction_retry_time=0,
            telemetry_disabled=True,
        ) as driver:
            driver.execute_query("RETURN 1 AS one", database_=DATABASE)
    except (OSError, DriverError, Neo4jError):
        return False
    return True


def add_reader(http_port: int, folder: EngineFolder) -> None:
    """Give the engine its reading user, with the password of this folder.

    READ access mode over Bolt keeps nobody from writing there; the lack of the right to write does.
    """
    user = {"name": READER, "password": folder.password(READER), "databases": {DATABASE: [READER]}}
    with httpx.Client(
        base_url=f"http://127.0.0.1:{http_port}/api/v1",
        auth=("root", folder.password("root")),
        timeout=30.0,
        trust_env=False,
    ) as client:
        try:
            client.post("/server", json={"command": f"drop user {READER}"})
            for path, body in (
                ("/server/groups", _GROUP),
                ("/server", {"command": f"create user {json.dumps(user)}"}),
            ):
                client.post(path, json=body).raise_for_status()
        except httpx.HTTPError as error:
            raise StoreUnavailableError(f"the embedded engine has no reading user: {error}") from error
