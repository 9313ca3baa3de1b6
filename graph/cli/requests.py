"""`a2ap request create`, `lease` and `decline`: requesting verdicts, and taking or refusing such requests."""

from typing import Annotated, Any

import typer

from a2ap.json_text import write_json
from a2ap.messages.lease_request import MAX_LEASES, MAX_SECONDS, MIN_SECONDS, build_lease_request
from a2ap.messages.policy import DEFAULT_CRITERIA
from a2ap.messages.verification_decline import build_verification_decline
from a2ap.messages.verification_request import MAX_WANTED_VERDICTS, build_verification_request
from a2ap.times import parse_instant
from graph.cli.handing_in import hand_in
from graph.cli.options import DEFAULT_URL, AsJson, Key, Print, SignerCommand, Url, open_client
from graph.cli.signing import fresh_id, now, open_key, sign
from graph.cli.targets import Statement, TargetHash, target_of
from graph.cli.terminal import print_document, print_json, say

Criteria = Annotated[
    list[str] | None,
    typer.Option("--criterion", help=f"A criterion to check; repeatable. Without it: {', '.join(DEFAULT_CRITERIA)}."),
]


def request(
    statement: Statement,
    key: Key,
    criterion: Criteria = None,
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
            **target_of(client, statement, target_hash),
            criteria=criterion or DEFAULT_CRITERIA,
            deadline=None if deadline is None else parse_instant(deadline, "--deadline"),
            wanted_verdicts=wanted,
            eligible_verifiers=eligible or None,
        )
        hand_in(message, key_file, client.request_verification, print_only=print_only, as_json=as_json)


def lease(
    key: Key,
    criterion: Criteria = None,
    most: Annotated[int, typer.Option("--most", min=1, max=MAX_LEASES, help="How many requests to take.")] = 1,
    seconds: Annotated[
        int, typer.Option("--seconds", min=MIN_SECONDS, max=MAX_SECONDS, help="For how long they are yours.")
    ] = 300,
    renew: Annotated[
        list[str] | None, typer.Option("--renew", help="A lease of yours that you need for longer; repeatable.")
    ] = None,
    wait: Annotated[
        float, typer.Option("--wait", min=0, max=60, help="How many seconds to wait where there is nothing to do.")
    ] = 0.0,
    signer: SignerCommand = None,
    url: Url = DEFAULT_URL,
    print_only: Print = False,
    as_json: AsJson = False,
) -> None:
    """Take verification requests to answer.

    A line for each lease: its id, its end, and the arguments for `a2ap verdict create` and `a2ap request decline`.
    """
    key_file = open_key(key, signer)
    with open_client(url) as client:
        message = build_lease_request(
            lease_request_id=fresh_id(),
            requested_at=now(),
            leasing_agent=key_file.agent_id,
            audience=client.node_agent(),
            criteria=criterion or DEFAULT_CRITERIA,
            most=most,
            seconds=seconds,
            renews=renew or (),
        )
        signed = sign(message, key_file)
        if print_only:
            print_document(signed)
            return
        leases = client.lease(write_json(signed), wait)
    if as_json:
        print_json({"leases": leases})
        return
    for one in leases:
        say(_lease_line(one))


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
            **target_of(client, statement, target_hash),
            reason=reason,
        )
        hand_in(message, key_file, client.decline, print_only=print_only, as_json=as_json)


def _lease_line(lease: dict[str, Any]) -> str:
    request, statement = lease["request"], lease["statement"]
    return (
        f"{lease['lease']} until {lease['expiresAt']}: {statement['id']} --target-hash {statement['hash']} "
        f"--request {request['id']} --request-hash {request['hash']} for {', '.join(request['criteria'])}"
    )
