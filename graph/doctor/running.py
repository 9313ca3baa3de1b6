"""The part of the examination that queries the running node, at its own address and nowhere else, with GET alone."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlsplit

import httpx

from a2ap.client import is_loopback
from graph.doctor.finding import Finding, passed, problem, warning
from graph.doctor.judgements import judge_clock, judge_policy
from graph.settings import Settings

_PATIENCE = 5.0  # seconds for each answer
_MISDIRECTED = 421


@dataclass(slots=True)
class Running:
    """The responses of the node: its newest checkpoint, and the findings."""

    checkpoint: str | None = None
    findings: list[Finding] = field(default_factory=list)


def ask_node(url: str, *, named: bool, settings: Settings, node: str | None, now: datetime) -> Running:
    """Query the state of the node at an address; `named` says that the operator gave it, and so expects an answer.

    `node` is the id of the node of the local folder, if it is known.
    """
    running = Running()
    with httpx.Client(base_url=url, timeout=_PATIENCE, trust_env=not is_loopback(url)) as client:
        try:
            description = _describe(client)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            running.findings.append(_unreached(url, named=named, error=error))
            return running
        if isinstance(description, Finding):
            running.findings.append(description)
            return running
        try:
            running.findings += _answered(client, url, description, settings, node, now)
            running.checkpoint = _checkpoint(client)
        except httpx.HTTPError as error:
            cause = f"{url} stopped answering: {type(error).__name__}"
            running.findings.append(problem("node", cause, "see the log of the server"))
    return running


def address_of(settings: Settings) -> str:
    """Return the local address of the node of these settings."""
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(settings.host, settings.host)
    return f"http://[{host}]:{settings.port}" if ":" in host else f"http://{host}:{settings.port}"


def _unreached(url: str, *, named: bool, error: Exception) -> Finding:
    cause = f"nothing answers at {url} ({type(error).__name__})"
    if named:
        return problem("node", cause, "start it with a2ap serve, or correct --url")
    return warning(
        "node",
        f"{cause}; its policy and its answers are not examined",
        "start it with a2ap serve, or name it with --url",
    )


def _describe(client: httpx.Client) -> dict[str, Any] | Finding:
    answer = client.get("/.well-known/a2ap")
    host = urlsplit(str(client.base_url)).netloc
    if answer.status_code == _MISDIRECTED:
        cause = f"the node at {client.base_url} does not answer to the name {host} (421)"
        return problem("names", cause, f"list {host} in A2AP_NAMES or set A2AP_PUBLIC_URL, and start the server again")
    try:
        found = answer.json()
    except ValueError:
        found = None
    if isinstance(found, dict) and isinstance(found.get("node"), str):
        return found
    if answer.is_server_error and isinstance(found, dict):
        return problem("node", f"{client.base_url} answers {_reason(answer)}", "see the log of the server")
    cause = f"something else than a node answers at {client.base_url} ({answer.status_code})"
    return problem("node", cause, "correct --url, A2AP_HOST or A2AP_PORT, or end the process that has the port")


def _answered(
    client: httpx.Client, url: str, description: dict[str, Any], settings: Settings, node: str | None, now: datetime
) -> Iterator[Finding]:
    if node is not None and description["node"] != node:
        cause = f"{description['node']} answers at {url}, and the data folder is that of {node}"
        yield problem("node", cause, "name the folder of that node with --data, or the address of this one with --url")
        return
    ready = client.get("/readyz")
    yield _ready_finding(ready, url)
    if (date := ready.headers.get("date")) is not None:
        clock = judge_clock(now, {"the node's clock": parsedate_to_datetime(date) - timedelta(seconds=_PATIENCE)})
        if clock.remedy is not None:
            yield clock
    yield from _name_findings(client, settings)
    yield judge_policy(description.get("consensusPolicy"))


def _ready_finding(ready: httpx.Response, url: str) -> Finding:
    if ready.status_code != httpx.codes.OK:
        return problem("node", f"{url} is not ready: {_reason(ready)}", "see the log of the server")
    failing = ready.json().get("failing") or []
    if failing:
        cause = f"{url} is ready, and keeps failing at {', '.join(map(str, failing))}"
        return warning("node", cause, "see the log of the server, which says why")
    return passed("node", f"{url} is ready")


def _name_findings(client: httpx.Client, settings: Settings) -> Iterator[Finding]:
    stated = {name: "A2AP_NAMES" for name in settings.names}
    if settings.public_url is not None:
        stated[urlsplit(settings.public_url).netloc] = "A2AP_PUBLIC_URL"
    for name, variable in stated.items():
        if client.get("/healthz", headers={"host": name}).status_code == _MISDIRECTED:
            cause = f"the running node does not answer to {name}, which {variable} names (421)"
            yield problem("names", cause, "start the server again, with the settings that are here")


def _checkpoint(client: httpx.Client) -> str | None:
    answer = client.get("/log/checkpoint")
    return answer.text if answer.is_success else None


def _reason(answer: httpx.Response) -> str:
    try:
        told = answer.json()
        return f"{answer.status_code}, {told.get('title')}: {told.get('detail')}"
    except (json.JSONDecodeError, AttributeError):
        return str(answer.status_code)
