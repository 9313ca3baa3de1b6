"""`a2ap statement create` and `retract`: a signed statement about words that stand in a file, and its retraction."""

from pathlib import Path
from typing import Annotated

import typer

from a2ap.messages.agent_description import AgentDescription
from a2ap.messages.agent_registration import AgentRegistration
from a2ap.messages.message import read_message
from a2ap.messages.retraction import build_retraction
from a2ap.messages.statement import build_statement
from a2ap.times import parse_instant
from graph.cli.errors import CommandError
from graph.cli.handing_in import hand_in
from graph.cli.options import DEFAULT_URL, AsJson, Key, Print, Proof, SignerCommand, Token, Url, open_client
from graph.cli.passages import quote_passages
from graph.cli.signing import fresh_id, now, open_key
from graph.cli.targets import GeneratedBy, statement_reference, statement_references


def create(
    text: Annotated[str, typer.Argument(help="The text of the claim.")],
    key: Key,
    source: Annotated[Path, typer.Option("--source", help="The file that the claim rests on, as it is registered.")],
    urn: Annotated[str, typer.Option("--urn", help="The name of the source, such as urn:doc:meeting:7.")],
    quote: Annotated[list[str], typer.Option("--quote", help="Words that stand in the source exactly so; repeatable.")],
    confidence: Annotated[float, typer.Option("--confidence", min=0, max=1, help="How sure you are.")],
    method: Annotated[
        str | None, typer.Option("--method", help="How the claim came about, such as semantic-analysis.")
    ] = None,
    registration: Annotated[
        Path | None,
        typer.Option("--registration", help="The file of your registration, instead of the one on the platform."),
    ] = None,
    supports: Annotated[
        list[str] | None,
        typer.Option("--supports", help="A statement that yours speaks for, ID[=HASH]; repeatable."),
    ] = None,
    contradicts: Annotated[
        list[str] | None,
        typer.Option("--contradicts", help="A statement that yours excludes, ID[=HASH]; repeatable."),
    ] = None,
    revises: Annotated[
        str | None, typer.Option("--revises", help="Your earlier statement that this takes the place of, ID[=HASH].")
    ] = None,
    generated_by: GeneratedBy = None,
    at: Annotated[
        str | None,
        typer.Option("--at", help="The time that the statement states, such as 2030-01-01T00:00:00Z; with --print."),
    ] = None,
    proof: Proof = False,
    signer: SignerCommand = None,
    url: Url = DEFAULT_URL,
    print_only: Print = False,
    as_json: AsJson = False,
) -> None:
    """Make, sign and submit a statement.

    Byte ranges, hashes and cue times are found in the source. The id is derived from you and the claim. The
    statement describes you as your registration does.
    """
    if at is not None and not print_only:
        raise CommandError("--at needs --print: a statement is submitted at the time that it states")
    key_file = open_key(key, signer)
    evidence = quote_passages(urn, source, quote)
    with open_client(url) as client:
        document = registration.read_bytes() if registration is not None else client.agent(key_file.agent_id)
        message = build_statement(
            generated_at=now() if at is None else parse_instant(at, "--at"),
            agent=_description(document),
            claim=text,
            confidence=confidence,
            evidence=evidence,
            generation_method=method,
            # A revision may repeat the words of the statement before it, whose id would be derived from the same words.
            statement_id=None if revises is None else fresh_id(),
            supports=statement_references(client, supports),
            contradicts=statement_references(client, contradicts),
            was_revision_of=None if revises is None else statement_reference(client, revises),
            generated_by=generated_by or (),
        )
        hand_in(message, key_file, client.submit, print_only=print_only, as_json=as_json, proof=proof)


def _description(document: bytes) -> AgentDescription:
    message = read_message(document)
    if not isinstance(message, AgentRegistration):
        raise CommandError(f"{message.envelope.id} is an {message.envelope.type.wire}, not a registration of an agent")
    return message.agent


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
