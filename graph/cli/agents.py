"""`a2ap agent register`, `endorse`, `announce-version` and `deactivate`: agents, their operators and versions."""

from typing import Annotated

import typer

from a2ap.client import Client
from a2ap.messages.agent_deactivation import build_agent_deactivation
from a2ap.messages.agent_description import AgentDescription
from a2ap.messages.agent_registration import build_agent_registration
from a2ap.messages.agent_version import build_agent_version
from a2ap.messages.endorsement import build_endorsement
from a2ap.messages.message import read_message
from graph.cli.handing_in import hand_in, send
from graph.cli.options import DEFAULT_URL, AsJson, Key, Print, SignerCommand, Url, open_client
from graph.cli.signing import fresh_id, now, open_key, parse_key


def register(
    key: Key,
    name: Annotated[str, typer.Option("--name", help="The name of the agent.")],
    version: Annotated[str, typer.Option("--version", help="The version of the agent.")],
    publisher: Annotated[str, typer.Option("--publisher", help="The publisher of the agent.")],
    capability: Annotated[
        list[str] | None, typer.Option("--capability", help="A capability of the agent; repeatable.")
    ] = None,
    alias: Annotated[
        str | None, typer.Option("--alias", help="Another name for the key, in the form agent:NAME:pubkey.")
    ] = None,
    family: Annotated[
        str | None, typer.Option("--family", help="The id of the agent family of which this agent is a version.")
    ] = None,
    recovery_key: Annotated[
        str | None,
        typer.Option(
            "--recovery-key", help="Public key (did:key:…) that may overrule this one; only its hash is sent."
        ),
    ] = None,
    invitation: Annotated[
        str | None, typer.Option("--invitation", help="Your invitation, where the node asks for one.")
    ] = None,
    person: Annotated[
        bool, typer.Option("--person", help="Register a person (prov:Person) that holds the key alone.")
    ] = False,
    signer: SignerCommand = None,
    url: Url = DEFAULT_URL,
    print_only: Print = False,
    as_json: AsJson = False,
) -> None:
    """Register an agent and its key.

    The registration is signed by the key that it registers.
    """
    key_file = open_key(key, signer)
    message = build_agent_registration(
        registration_id=fresh_id(),
        registered_at=now(),
        agent=AgentDescription(key_file.agent_id, name, version, publisher, tuple(capability or ()), family, person),
        key_id=key_file.key_id,
        public_key=key_file.key.public_key,
        alias=alias,
        recovery_key=None if recovery_key is None else parse_key(recovery_key),
        invitation=invitation,
    )
    send(message, key_file, Client.register, url, print_only=print_only, as_json=as_json)


def endorse(
    agent: Annotated[str, typer.Argument(help="The id of the agent that you answer for.")],
    key: Key,
    signer: SignerCommand = None,
    url: Url = DEFAULT_URL,
    print_only: Print = False,
    as_json: AsJson = False,
) -> None:
    """Answer for another agent.

    You become its operator, as the platform has it registered now.
    """
    key_file = open_key(key, signer)
    with open_client(url) as client:
        registration = read_message(client.agent(agent))
        message = build_endorsement(
            endorsement_id=fresh_id(),
            endorsed_at=now(),
            endorsing_agent=key_file.agent_id,
            endorsed_agent=agent,
            target_hash=registration.envelope.signed_hash,
        )
        hand_in(message, key_file, client.endorse, print_only=print_only, as_json=as_json)


def announce(
    agent: Annotated[str, typer.Argument(help="The id of the new version.")],
    family: Annotated[str, typer.Option("--family", help="The id of the family that it is a version of.")],
    key: Key,
    signer: SignerCommand = None,
    url: Url = DEFAULT_URL,
    print_only: Print = False,
    as_json: AsJson = False,
) -> None:
    """Announce a version of a family of agents.

    About yourself, it names the family that you are a version of. About another agent that says so, it takes that agent
    into your family.
    """
    key_file = open_key(key, signer)
    with open_client(url) as client:
        registration = read_message(client.agent(agent))
        message = build_agent_version(
            announcement_id=fresh_id(),
            announced_at=now(),
            announcing_agent=key_file.agent_id,
            agent=agent,
            target_hash=registration.envelope.signed_hash,
            family=family,
        )
        hand_in(message, key_file, client.announce_version, print_only=print_only, as_json=as_json)


def deactivate(
    key: Key,
    agent: Annotated[
        str | None, typer.Option("--agent", help="The agent, where the key is the node's.", show_default=False)
    ] = None,
    reason: Annotated[str | None, typer.Option("--reason", help="Why, in your words.")] = None,
    signer: SignerCommand = None,
    url: Url = DEFAULT_URL,
    print_only: Print = False,
    as_json: AsJson = False,
) -> None:
    """End an agent.

    Nothing further is taken from it; its earlier messages stay.
    """
    key_file = open_key(key, signer)
    message = build_agent_deactivation(
        deactivation_id=fresh_id(),
        deactivated_at=now(),
        deactivating_agent=key_file.agent_id,
        agent=agent or key_file.agent_id,
        reason=reason,
    )
    send(message, key_file, Client.deactivate, url, print_only=print_only, as_json=as_json)
