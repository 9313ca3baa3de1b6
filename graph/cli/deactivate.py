"""`a2ap agent deactivate`: ends an agent, which can submit nothing afterwards."""

from typing import Annotated

import typer

from a2ap.client import Client
from a2ap.messages.agent_deactivation import build_agent_deactivation
from graph.cli.handing_in import send
from graph.cli.options import DEFAULT_URL, AsJson, Key, Print, SignerCommand, Url
from graph.cli.signing import fresh_id, now, open_key


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
