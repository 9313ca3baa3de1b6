"""`a2ap verdict create` and `answer`: giving a verdict on a statement, and answering one that challenges yours."""

from typing import Annotated

import typer

from a2ap.messages.challenge_answer import build_challenge_answer
from a2ap.messages.finding import Finding, FindingStatus
from a2ap.messages.message import read_message
from a2ap.messages.verification_response import Verdict, build_verification_response
from graph.cli.errors import CommandError
from graph.cli.handing_in import hand_in
from graph.cli.options import DEFAULT_URL, AsJson, Key, Print, Proof, SignerCommand, Token, Url, open_client
from graph.cli.passages import PointAt, PointedSource, PointedUrn, point_at_passages
from graph.cli.signing import fresh_id, now, open_key
from graph.cli.targets import (
    GeneratedBy,
    Statement,
    TargetHash,
    given_reference,
    statement_reference,
    statement_references,
    target_of,
    verdict_reference,
)


def respond(
    statement: Statement,
    key: Key,
    verdict: Annotated[Verdict, typer.Option("--verdict", case_sensitive=False, help="Your verdict.")],
    confidence: Annotated[float, typer.Option("--confidence", min=0, max=1, help="How sure you are.")],
    finding: Annotated[
        list[str] | None,
        typer.Option(
            "--finding",
            help="Your finding on a criterion, as CRITERION=STATUS or CRITERION=STATUS:WORDS; STATUS is PASS, FAIL "
            "or INCONCLUSIVE. Repeatable.",
        ),
    ] = None,
    reason: Annotated[str | None, typer.Option("--reason", help="Why, in your words.")] = None,
    request: Annotated[
        str | None, typer.Option("--request", help="The id of the request that you answer, as a lease has it.")
    ] = None,
    request_hash: Annotated[
        str | None, typer.Option("--request-hash", help="That request's signed hash, as a lease has it.")
    ] = None,
    supersedes: Annotated[
        str | None, typer.Option("--supersedes", help="Your earlier verdict that this takes the place of: ID[=HASH].")
    ] = None,
    counter_statement: Annotated[
        str | None,
        typer.Option("--counter-statement", help="Of a challenge: your statement that contradicts it, ID[=HASH]."),
    ] = None,
    cross_reference: Annotated[
        list[str] | None,
        typer.Option("--cross-reference", help="Another statement that you looked at, ID[=HASH]; repeatable."),
    ] = None,
    evidence: PointAt = None,
    source: PointedSource = None,
    urn: PointedUrn = None,
    generated_by: GeneratedBy = None,
    target_hash: TargetHash = None,
    proof: Proof = False,
    signer: SignerCommand = None,
    url: Url = DEFAULT_URL,
    token: Token = None,
    print_only: Print = False,
    as_json: AsJson = False,
) -> None:
    """Give your verdict on a statement.

    VALIDATED needs a finding that is PASS and none that is FAIL; CHALLENGED a reason, or a FAIL with words.
    """
    key_file = open_key(key, signer)
    findings = [_finding(text, confidence) for text in finding or ()]
    answered = given_reference(request, request_hash, "--request and --request-hash")
    pointers = point_at_passages(urn, source, evidence)
    with open_client(url, token) as client:
        message = build_verification_response(
            response_id=fresh_id(),
            responded_at=now(),
            responding_agent=key_file.agent_id,
            **target_of(client, statement, target_hash),
            verdict=verdict,
            confidence=confidence,
            findings=findings,
            reason=reason,
            request=answered,
            supersedes=None if supersedes is None else verdict_reference(client, supersedes),
            evidence=pointers,
            counter_statement=None if counter_statement is None else statement_reference(client, counter_statement),
            cross_references=statement_references(client, cross_reference),
            generated_by=generated_by or (),
        )
        hand_in(message, key_file, client.respond, print_only=print_only, as_json=as_json, proof=proof)


def answer(
    challenge: Annotated[str, typer.Argument(help="The id or the signed hash of the verdict that challenges.")],
    key: Key,
    text: Annotated[str, typer.Option("--text", help="Your answer.")],
    evidence: PointAt = None,
    source: PointedSource = None,
    urn: PointedUrn = None,
    signer: SignerCommand = None,
    url: Url = DEFAULT_URL,
    token: Token = None,
    print_only: Print = False,
    as_json: AsJson = False,
) -> None:
    """Answer a challenge of a statement of yours."""
    key_file = open_key(key, signer)
    pointers = point_at_passages(urn, source, evidence)
    with open_client(url, token) as client:
        envelope = read_message(client.verification(challenge)).envelope
        message = build_challenge_answer(
            answer_id=fresh_id(),
            answered_at=now(),
            answering_agent=key_file.agent_id,
            target_verification=envelope.id,
            target_hash=envelope.signed_hash,
            text=text,
            evidence=pointers,
        )
        hand_in(message, key_file, client.answer, print_only=print_only, as_json=as_json)


def _finding(text: str, confidence: float) -> Finding:
    criterion, separator, found = text.partition("=")
    status, _, words = found.partition(":")
    try:
        return Finding(criterion.strip(), FindingStatus(status.strip().upper()), words.strip(), confidence)
    except ValueError as error:
        known = ", ".join(FindingStatus)
        problem = f"{status!r} is not one of {known}" if separator else "there is no ="
        raise CommandError(f"--finding {text}: {problem}") from error
