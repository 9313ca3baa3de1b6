"""`a2ap decline` and `a2ap answer`: saying that a request is not answered, and answering a challenge."""

from typing import Annotated

import typer

from a2ap.challenge_answer import build_challenge_answer
from a2ap.message import read_message
from a2ap.verification_decline import build_verification_decline
from graph.cli.options import DEFAULT_URL, AsJson, Key, Print, SignerCommand, Token, Url, open_client
from graph.cli.signing import fresh_id, now, open_key, print_receipt, sign
from graph.cli.terminal import print_document
from graph.cli.verdicts import Statement, TargetHash, signed_hash_of


def decline(
    statement: Statement,
    key: Key,
    request: Annotated[str, typer.Option("--request", help="The id of the request, as a lease has it.")],
    request_hash: Annotated[str, typer.Option("--request-hash", help="The request's signed hash, as a lease has it.")],
    reason: Annotated[str, typer.Option("--reason", help="Why, in your words.")],
    target_hash: TargetHash = None,
    signer: SignerCommand = None,
    url: Url = DEFAULT_URL,
    print_only: Print = False,
    as_json: AsJson = False,
) -> None:
    """Say that you will not answer a request, and why."""
    key_file = open_key(key, signer)
    with open_client(url) as client:
        message = build_verification_decline(
            decline_id=fresh_id(),
            declined_at=now(),
            declining_agent=key_file.agent_id,
            request=request,
            request_hash=request_hash,
            target_statement=statement,
            target_hash=target_hash or signed_hash_of(client, statement),
            reason=reason,
        )
        signed = sign(message, key_file)
        if print_only:
            print_document(signed)
        else:
            print_receipt(client.decline(signed), as_json)


def answer(
    challenge: Annotated[str, typer.Argument(help="The id or the signed hash of the verdict that challenges.")],
    key: Key,
    text: Annotated[str, typer.Option("--text", help="What you answer.")],
    signer: SignerCommand = None,
    url: Url = DEFAULT_URL,
    token: Token = None,
    print_only: Print = False,
    as_json: AsJson = False,
) -> None:
    """Answer a challenge of a statement of yours."""
    key_file = open_key(key, signer)
    with open_client(url, token) as client:
        envelope = read_message(client.verification(challenge)).envelope
        message = build_challenge_answer(
            answer_id=fresh_id(),
            answered_at=now(),
            answering_agent=key_file.agent_id,
            target_verification=envelope.id,
            target_hash=envelope.signed_hash,
            text=text,
        )
        signed = sign(message, key_file)
        if print_only:
            print_document(signed)
        else:
            print_receipt(client.answer(signed), as_json)
