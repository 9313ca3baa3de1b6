"""`a2ap statement retract`: takes back a statement or a verdict of one's own."""

from typing import Annotated

import typer

from a2ap.messages.message import read_message
from a2ap.messages.retraction import build_retraction
from graph.cli.handing_in import hand_in
from graph.cli.options import DEFAULT_URL, AsJson, Key, Print, SignerCommand, Token, Url, open_client
from graph.cli.signing import fresh_id, now, open_key


def retract(
    target: Annotated[str, typer.Argument(help="The id or the signed hash of the statement.")],
    key: Key,
    verdict: Annotated[bool, typer.Option("--verdict", help="It is a verdict, not a statement.")] = False,
    reason: Annotated[str | None, typer.Option("--reason", help="Why, in your words.")] = None,
    signer: SignerCommand = None,
    url: Url = DEFAULT_URL,
    token: Token = None,
    print_only: Print = False,
    as_json: AsJson = False,
) -> None:
    """Take back a statement or verdict of yours.

    The message stays in the log, with your retraction beside it, and counts for nothing.
    """
    key_file = open_key(key, signer)
    with open_client(url, token) as client:
        envelope = read_message(client.verification(target) if verdict else client.statement(target)).envelope
        message = build_retraction(
            retraction_id=fresh_id(),
            retracted_at=now(),
            retracting_agent=key_file.agent_id,
            target_message=envelope.id,
            target_type=envelope.type,
            target_hash=envelope.signed_hash,
            reason=reason,
        )
        hand_in(message, key_file, client.retract, print_only=print_only, as_json=as_json)
