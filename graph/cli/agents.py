"""`a2ap register` and `a2ap endorse`: who an agent is, and who answers for it."""

from typing import Annotated

import typer

from a2ap.agent_description import AgentDescription
from a2ap.agent_registration import build_agent_registration
from a2ap.endorsement import build_endorsement
from a2ap.message import read_message
from graph.cli.options import DEFAULT_URL, AsJson, Key, Print, SignerCommand, Url, open_client
from graph.cli.signing import fresh_id, now, open_key, parse_key, print_receipt, sign
from graph.cli.terminal import print_document


def register(
    key: Key,
    name: Annotated[str, typer.Option("--name", help="What people call the agent.")],
    version: Annotated[str, typer.Option("--version", help="The version of the agent.")],
    publisher: Annotated[str, typer.Option("--publisher", help="Who publishes it.")],
    capability: Annotated[list[str] | None, typer.Option("--capability", help="What it can do; repeatable.")] = None,
    alias: Annotated[
        str | None, typer.Option("--alias", help="Another name for the key, in the form agent:NAME:pubkey.")
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
        agent=AgentDescription(key_file.agent_id, name, version, publisher, tuple(capability or ())),
        key_id=key_file.key_id,
        public_key=key_file.key.public_key,
        alias=alias,
        recovery_key=None if recovery_key is None else parse_key(recovery_key),
        invitation=invitation,
    )
    signed = sign(message, key_file)
    if print_only:
        print_document(signed)
        return
    with open_client(url) as client:
        print_receipt(client.register(signed), as_json)


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
        signed = sign(message, key_file)
        if print_only:
            print_document(signed)
        else:
            print_receipt(client.endorse(signed), as_json)
