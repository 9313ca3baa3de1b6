"""Login to the embedded engine: the check whether it answers, and the second, read-only user."""

from __future__ import annotations

import json
import socket

import httpx

from graph.database.endpoint import without_certificates
from graph.engine.files import EngineFolder, Running
from graph.engine.process import DATABASE
from graph.errors import StoreUnavailableError

READER = "reader"

_PATIENCE = 5.0  # seconds


def answers(running: Running, user: str, folder: EngineFolder) -> bool:
    """Return whether the engine accepts a user's password and has its database open, on both of its ports."""
    try:
        socket.create_connection(("127.0.0.1", running.bolt_port), timeout=_PATIENCE).close()
        answer = httpx.post(
            f"http://127.0.0.1:{running.http_port}/api/v1/query/{DATABASE}",
            json={"language": "sql", "command": "SELECT 1"},
            auth=(user, folder.password(user)),
            timeout=_PATIENCE,
            trust_env=False,
            verify=without_certificates(),
        )
    except (OSError, httpx.HTTPError):
        return False
    return answer.is_success


def add_reader(running: Running, folder: EngineFolder) -> None:
    """Give the engine its reading user if it has none, with the password of this folder.

    READ access mode over Bolt does not prevent writes there; the missing write permission does.
    """
    if not answers(running, READER, folder):
        address = f"http://127.0.0.1:{running.http_port}"
        create_reader(address, folder.password("root"), DATABASE, READER, folder.password(READER))


def create_reader(address: str, root_password: str, database: str, user: str, password: str) -> None:
    """Give the engine at an address a user with read access to one database and no other rights.

    It replaces a user of the same name. Raises StoreUnavailableError.
    """
    group = {"database": database, "name": READER, "access": [], "types": {"*": {"access": ["readRecord"]}}}
    reader = {"name": user, "password": password, "databases": {database: [READER]}}
    with httpx.Client(
        base_url=f"{address}/api/v1",
        auth=("root", root_password),
        timeout=30.0,
        trust_env=False,
        verify=without_certificates(),
    ) as client:
        try:
            client.post("/server", json={"command": f"drop user {user}"})  # one whose password was lost
            for path, body in (
                ("/server/groups", group),
                ("/server", {"command": f"create user {json.dumps(reader)}"}),
            ):
                client.post(path, json=body).raise_for_status()
        except httpx.HTTPError as error:
            raise StoreUnavailableError(f"the embedded engine has no reading user: {error}") from error
