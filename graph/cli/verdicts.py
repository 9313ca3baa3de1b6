"""`a2ap request` and `a2ap respond`: asking for a statement to be verified, and giving a verdict on it."""

from typing import Annotated

import typer

from a2ap.client import Client
from a2ap.message import read_message
from a2ap.policy import DEFAULT_CRITERIA
from a2ap.times import parse_instant
from a2ap.verification_request import MAX_WANTED_VERDICTS, build_verification_request
from a2ap.verification_response import Finding, FindingStatus, Verdict, build_verification_response
from graph.cli.errors import CommandError
from graph.cli.options import DEFAULT_URL, AsJson, Key, Print, Proof, SignerCommand, Url, open_client
from graph.cli.signing import fresh_id, now, open_key, print_receipt, sign
from graph.cli.terminal import print_document

Statement = Annotated[str, typer.Argument(help="The id of the statement, urn:uuid:…")]
TargetHash = Annotated[
    str | None,
    typer.Option(
        "--target-hash", help="The statement's signed hash, instead of asking the platform for the statement."
    ),
]


def request(
    statement: Statement,
    key: Key,
    criterion: Annotated[
        list[str] | None,
        typer.Option("--criterion", help=f"What to check; repeatable. Without it: {', '.join(DEFAULT_CRITERIA)}."),
    ] = None,
    deadline: Annotated[
        str | None, typer.Option("--deadline", help="Until when you wait, a time like 2026-10-14T10:30:00Z.")
    ] = None,
    wanted: Annotated[
        int | None, typer.Option("--wanted", min=1, max=MAX_WANTED_VERDICTS, help="For how many verdicts you wait.")
    ] = None,
    eligible: Annotated[
        list[str] | None, typer.Option("--eligible", help="An agent whose verdict you wait for; repeatable.")
    ] = None,
    target_hash: TargetHash = None,
    signer: SignerCommand = None,
    url: Url = DEFAULT_URL,
    print_only: Print = False,
    as_json: AsJson = False,
) -> None:
    """Ask for a statement to be verified."""
    key_file = open_key(key, signer)
    with open_client(url) as client:
        message = build_verification_request(
            request_id=fresh_id(),
            requested_at=now(),
            requesting_agent=key_file.agent_id,
            target_statement=statement,
            target_hash=target_hash or signed_hash_of(client, statement),
            criteria=criterion or DEFAULT_CRITERIA,
            deadline=None if deadline is None else parse_instant(deadline, "--deadline"),
            wanted_verdicts=wanted,
            eligible_verifiers=eligible or None,
        )
        signed = sign(message, key_file)
        if print_only:
            print_document(signed)
        else:
            print_receipt(client.request_verification(signed), as_json)


def respond(
    statement: Statement,
    key: Key,
    verdict: Annotated[Verdict, typer.Option("--verdict", case_sensitive=False, help="What you conclude.")],
    confidence: Annotated[float, typer.Option("--confidence", min=0, max=1, help="How sure you are.")],
    finding: Annotated[
        list[str] | None,
        typer.Option(
            "--finding",
            help="What you found on a criterion, as CRITERION=STATUS or CRITERION=STATUS:WORDS; STATUS is PASS, FAIL "
            "or INCONCLUSIVE. Repeatable.",
        ),
    ] = None,
    reason: Annotated[str | None, typer.Option("--reason", help="Why, in your words.")] = None,
    target_hash: TargetHash = None,
    proof: Proof = False,
    signer: SignerCommand = None,
    url: Url = DEFAULT_URL,
    print_only: Print = False,
    as_json: AsJson = False,
) -> None:
    """Give your verdict on a statement.

    VALIDATED needs a finding that is PASS and none that is FAIL.
    """
    key_file = open_key(key, signer)
    findings = [_finding(text, confidence) for text in finding or ()]
    with open_client(url) as client:
        message = build_verification_response(
            response_id=fresh_id(),
            responded_at=now(),
            responding_agent=key_file.agent_id,
            target_statement=statement,
            target_hash=target_hash or signed_hash_of(client, statement),
            verdict=verdict,
            confidence=confidence,
            findings=findings,
            reason=reason,
        )
        signed = sign(message, key_file, proof=proof)
        if print_only:
            print_document(signed)
        else:
            print_receipt(client.respond(signed), as_json)


def signed_hash_of(client: Client, statement: str) -> str:
    """Return the signed hash of a statement, out of its bytes: what a platform says about it is not asked."""
    envelope = read_message(client.statement(statement)).envelope
    if envelope.id != statement:
        raise CommandError(f"{client.base_url} answered with {envelope.id} instead of {statement}")
    return envelope.signed_hash


def _finding(text: str, confidence: float) -> Finding:
    criterion, separator, found = text.partition("=")
    status, _, words = found.partition(":")
    try:
        return Finding(criterion.strip(), FindingStatus(status.strip().upper()), words.strip(), confidence)
    except ValueError as error:
        known = ", ".join(FindingStatus)
        problem = f"{status!r} is not one of {known}" if separator else "there is no ="
        raise CommandError(f"--finding {text}: {problem}") from error
