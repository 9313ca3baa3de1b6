"""A throw-away node: `a2ap serve` on a free port and a temporary folder, for as long as a test needs it.

The node is a process of its own, under a keeper (`a2ap.testing.keeper`) that ends it with the process that started it.
"""

import importlib.util
import os
import re
import select
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from a2ap.agent.base import fresh_id, unreachable, utc_now
from a2ap.agent.identity import load_identity
from a2ap.errors import A2APError
from a2ap.messages.admission_policy import AdmissionMode, build_admission_policy
from a2ap.messages.quotas import DEFAULT_QUOTAS
from a2ap.signing.signature import sign_message

_KEEPER = Path(__file__).with_name("keeper.py")
_SERVER_MODULES = ("arcadedb_embedded", "fastapi", "strawberry", "typer", "uvicorn")
_FOREIGN = ("A2AP_", "NEO4J_", "QDRANT_", "AWS_")  # variables of another node
# The node lives for a minute: its engine compiles once, and collects garbage on one thread.
_ENVIRONMENT = {"A2AP_ENGINE_HEAP": "512m", "A2AP_ENGINE_OPTIONS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"}
_ADDRESS = re.compile(r"^A2AP platform at (http://\S+)\n", re.MULTILINE)
_MANY = 2**50  # documents, bytes, agents
_POLL = 0.05  # seconds
_START_PATIENCE = 180.0  # seconds
_END_PATIENCE = 60.0  # seconds


class NodeError(A2APError):
    """The throw-away node does not start."""


@dataclass(frozen=True, slots=True)
class Node:
    """A running node: its address, the verifier key of its log, its operator's token, and its data folder."""

    url: str
    log_key: str
    operator_token: str = field(repr=False)
    folder: Path


@contextmanager
def running_node(environment: Mapping[str, str] | None = None) -> Iterator[Node]:
    """Run a throw-away node and yield it; `environment` are further variables of it. Raises `NodeError`."""
    process = NodeProcess(environment or {})
    try:
        yield process.node()
    finally:
        process.end()


def _wide_policy(folder: Path) -> dict[str, Any]:
    """Return an admission policy, signed by the node's key, without quotas that the tests of a day reach."""
    node = load_identity(folder / "node.key")
    policy = build_admission_policy(
        policy_id=fresh_id(),
        issued_at=utc_now(),
        issuing_agent=node.agent_id,
        mode=AdmissionMode.OPEN,
        quotas={name: dict.fromkeys(quota, _MANY) for name, quota in DEFAULT_QUOTAS.members.items()},
    )
    return sign_message(policy, node.key, node.key_id)


def _prepare(url: str, folder: Path) -> dict[str, Any]:
    """Send a node the wide admission policy, and return its description; raises `httpx.HTTPError`."""
    with httpx.Client(base_url=url, trust_env=False) as http:
        stated: dict[str, Any] = http.get("/.well-known/a2ap").raise_for_status().json()
        if (folder / "node.key").exists():  # the environment may state another key
            http.post("/admission-policies", json=_wide_policy(folder)).raise_for_status()
    return stated


class NodeProcess:
    """The process of a node, which starts at once; `node` waits until it answers."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._node: Node | None = None
        self._error: NodeError | None = None
        self._keeper: subprocess.Popen[bytes] | None = None
        if missing := [name for name in _SERVER_MODULES if importlib.util.find_spec(name) is None]:
            told = f"a node needs the extra `server`: pip install 'a2ap[server]' ({', '.join(missing)} not installed)"
            self._error = NodeError(told)
            return
        own = {name: value for name, value in os.environ.items() if not name.startswith(_FOREIGN)}
        # In a session of its own, Ctrl-C in a terminal does not reach the node, which the keeper ends.
        self._keeper = subprocess.Popen(
            [sys.executable, "-I", str(_KEEPER), str(os.getpid())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**own, **_ENVIRONMENT, **environment},
            start_new_session=True,
        )

    def node(self) -> Node:
        """Return the node once it answers; raises `NodeError`, again at each call."""
        if self._error is not None:
            raise self._error
        if self._node is None:
            try:
                self._node = self._awaited()
            except NodeError as error:
                self._error = error
                raise
        return self._node

    def end(self) -> None:
        """End the node and delete its folder; return when both is done."""
        if self._keeper is None:
            return
        assert self._keeper.stdin is not None and self._keeper.stdout is not None
        with suppress(BrokenPipeError):
            self._keeper.stdin.write(b"end\n")
            self._keeper.stdin.close()
        try:
            self._keeper.wait(_END_PATIENCE)
        except subprocess.TimeoutExpired:
            self._keeper.kill()
            self._keeper.wait()
        self._keeper.stdout.close()
        self._keeper = None
        self._error = NodeError("the node has ended")

    def _awaited(self) -> Node:
        folder, url = self._told()
        try:
            stated = _prepare(url, folder)
            token = (folder / "operator.token").read_text(encoding="ascii").strip()
        except (httpx.HTTPError, OSError) as error:  # It has ended meanwhile, and its folder is deleted.
            raise NodeError(str(unreachable(url, error))) from error
        return Node(url, stated["logKey"], token, folder)

    def _told(self) -> tuple[Path, str]:
        """Return the folder, which the keeper tells, and the address in the node's log; raises `NodeError`."""
        assert self._keeper is not None and self._keeper.stdout is not None
        output, told = self._keeper.stdout.fileno(), b""
        deadline = time.monotonic() + _START_PATIENCE
        while time.monotonic() < deadline:
            if select.select([output], [], [], _POLL)[0]:
                piece = os.read(output, 65_536)
                told += piece
                if not piece:
                    end = told.decode(errors="replace").partition("\n")[2].strip()
                    raise NodeError(f"the node did not start: {end or 'it said nothing'}")
            folder, newline, _ = told.decode(errors="replace").partition("\n")
            if newline and (address := _address_in(Path(folder) / "serve.log")):
                return Path(folder), address
        raise NodeError(f"the node did not answer in {_START_PATIENCE:.0f} seconds")


def _address_in(log: Path) -> str | None:
    try:
        found = _ADDRESS.search(log.read_text(errors="replace"))
    except FileNotFoundError:  # not yet, or no longer
        return None
    return None if found is None else found[1]
