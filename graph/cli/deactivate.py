"""`a2ap deactivate`: an agent says no more."""

from typing import Annotated

import typer

from a2ap.agent_deactivation import build_agent_deactivation
from graph.cli.options import DEFAULT_URL, AsJson, Key, Print, SignerCommand, Url, open_client
from graph.cli.signing import fresh_id, now, open_key, print_receipt, sign
from graph.cli.terminal import print_document


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

    Nothing more is taken from it; what it has said stays.
    """
    key_file = open_key(key, signer)
    message = build_agent_deactivation(
        deactivation_id=fresh_id(),
        deactivated_at=now(),
        deactivating_agent=key_file.agent_id,
        agent=agent or key_file.agent_id,
        reason=reason,
    )
    signed = sign(message, key_file)
    if print_only:
        print_document(signed)
        return
    with open_client(url) as client:
        print_receipt(client.deactivate(signed), as_json)
