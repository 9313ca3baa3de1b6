"""How an agent describes itself in a statement and in its registration (A2AP §2.1)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from a2ap.errors import FieldError
from a2ap.fields import check_type, member_path, read_agent_id, read_object, read_text, read_texts

AGENT_TYPE = "prov:SoftwareAgent"
PERSON_TYPE = "prov:Person"
FAMILY = "prov:specializationOf"


@dataclass(frozen=True, slots=True)
class AgentDescription:
    """An agent as it describes itself; only the id is checked. `family` is the family of which it is a version.

    `person` says that a human being holds the key (`prov:Person`); a registration may say so, and a statement may not.
    """

    agent_id: str
    name: str
    version: str
    publisher: str
    capabilities: tuple[str, ...] = ()
    family: str | None = None
    person: bool = False


def build_agent(agent: AgentDescription) -> dict[str, Any]:
    """Return the `agent` member of a message (A2AP §2.1)."""
    described: dict[str, Any] = {
        "@type": PERSON_TYPE if agent.person else AGENT_TYPE,
        "@id": agent.agent_id,
        "name": agent.name,
        "version": agent.version,
        "publisher": agent.publisher,
        "capabilities": list(agent.capabilities),
    }
    if agent.family is not None:
        described[FAMILY] = {"@id": agent.family}
    return described


def read_agent(document: Mapping[str, Any], path: str = "", *, persons: bool = False) -> AgentDescription:
    """Read the `agent` member of a message; `persons` says whether it may be a `prov:Person`. Raises `FieldError`."""
    agent = read_object(document, "agent", path)
    path = member_path(path, "agent")
    person = persons and agent.get("@type") == PERSON_TYPE
    if not person:
        check_type(agent, AGENT_TYPE, path)
    return AgentDescription(
        agent_id=read_agent_id(agent, "@id", path),
        name=read_text(agent, "name", path),
        version=read_text(agent, "version", path),
        publisher=read_text(agent, "publisher", path),
        capabilities=read_texts(agent, "capabilities", path),
        family=_read_family(agent, path) if FAMILY in agent else None,
        person=person,
    )


def _read_family(agent: Mapping[str, Any], path: str) -> str:
    family = read_agent_id(read_object(agent, FAMILY, path), "@id", member_path(path, FAMILY))
    if family == agent["@id"]:
        raise FieldError(member_path(path, FAMILY), f"is {family}, the agent itself")
    return family
