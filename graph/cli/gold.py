"""`a2ap gold`: the operator's labels of statements, and the disputes of them."""

from typing import Annotated, Any

import typer

from a2ap.client import Client
from a2ap.messages.envelope import MessageType
from a2ap.messages.gold_dispute import build_gold_dispute
from a2ap.messages.gold_label import Label, build_gold_label
from a2ap.messages.message import read_message
from a2ap.messages.policy import DEFAULT_CRITERIA
from a2ap.messages.retraction import build_retraction
from graph.cli.errors import CommandError
from graph.cli.groups import command_group
from graph.cli.handing_in import hand_in
from graph.cli.options import DEFAULT_URL, AsJson, Key, Print, SignerCommand, Url, open_client
from graph.cli.signing import fresh_id, now, open_key
from graph.cli.terminal import print_json, say

app = command_group("Add, withdraw and dispute gold labels.")

_LABELS = """query ($id: ID!) { statement(id: $id) { goldLabels {
  id signedHash criterion label standing reason labelledAt probe answers origin
  labelledBy { id } disputes(first: 200) { nodes { id signedHash reason suspends withdrawn agent { id } } } } } }"""

Statement = Annotated[str, typer.Argument(help="The id or the signed hash of the statement.")]
Criterion = Annotated[
    str,
    typer.Option(
        "--criterion", help="The criterion; without it, the first criterion that every verifier is asked about."
    ),
]


@app.command("add")
def add(
    statement: Statement,
    label: Annotated[Label, typer.Argument(case_sensitive=False, help="Whether the statement is right.")],
    key: Key,
    criterion: Criterion = DEFAULT_CRITERIA[0],
    reason: Annotated[str | None, typer.Option("--reason", help="Why, in your words.")] = None,
    answers: Annotated[
        list[str] | None,
        typer.Option("--answers", help="The signed hash of a dispute that this answers; repeatable."),
    ] = None,
    signer: SignerCommand = None,
    url: Url = DEFAULT_URL,
    print_only: Print = False,
    as_json: AsJson = False,
) -> None:
    """Label a statement as right or wrong, with the node's key.

    The label takes the place of your earlier one of the same statement and criterion.
    """
    key_file = open_key(key, signer)
    with open_client(url) as client:
        target = read_message(client.statement(statement)).envelope
        message = build_gold_label(
            label_id=fresh_id(),
            labelled_at=now(),
            labelling_agent=key_file.agent_id,
            target_statement=target.id,
            target_hash=target.signed_hash,
            criterion=criterion,
            label=label,
            reason=reason,
            answers=answers or (),
        )
        hand_in(message, key_file, client.label_gold, print_only=print_only, as_json=as_json)


@app.command("withdraw")
def withdraw(
    statement: Statement,
    key: Key,
    criterion: Criterion = DEFAULT_CRITERIA[0],
    reason: Annotated[str | None, typer.Option("--reason", help="Why, in your words.")] = None,
    signer: SignerCommand = None,
    url: Url = DEFAULT_URL,
    print_only: Print = False,
    as_json: AsJson = False,
) -> None:
    """Take back your label of a statement.

    With the node's key. Then the statement has no label: an earlier label of yours does not come back.
    """
    key_file = open_key(key, signer)
    with open_client(url) as client:
        label = _last_label(client, statement, criterion)
        message = build_retraction(
            retraction_id=fresh_id(),
            retracted_at=now(),
            retracting_agent=key_file.agent_id,
            target_message=label["id"],
            target_type=MessageType.GOLD_LABEL,
            target_hash=label["signedHash"],
            reason=reason,
        )
        hand_in(message, key_file, client.retract, print_only=print_only, as_json=as_json)


@app.command("dispute")
def dispute(
    statement: Statement,
    key: Key,
    reason: Annotated[str, typer.Option("--reason", help="The fault of the label, in your words.")],
    criterion: Criterion = DEFAULT_CRITERIA[0],
    evidence: Annotated[
        list[str] | None,
        typer.Option("--evidence", help="The signed hash of a statement that shows it; repeatable."),
    ] = None,
    signer: SignerCommand = None,
    url: Url = DEFAULT_URL,
    print_only: Print = False,
    as_json: AsJson = False,
) -> None:
    """Say that a gold label is wrong.

    A dispute by an agent of a seeded operator suspends the label until the operator answers it in another label.
    """
    key_file = open_key(key, signer)
    with open_client(url) as client:
        label = _last_label(client, statement, criterion)
        message = build_gold_dispute(
            dispute_id=fresh_id(),
            disputed_at=now(),
            disputing_agent=key_file.agent_id,
            target_label=label["id"],
            target_hash=label["signedHash"],
            reason=reason,
            evidence=evidence or (),
        )
        hand_in(message, key_file, client.dispute_gold, print_only=print_only, as_json=as_json)


@app.command("list")
def list_labels(statement: Statement, url: Url = DEFAULT_URL, as_json: AsJson = False) -> None:
    """Show the labels of a statement, and the disputes of them."""
    with open_client(url) as client:
        labels = _labels(client, statement)
    if as_json:
        print_json({"goldLabels": labels})
        return
    for label in labels:
        standing = label["standing"].lower().replace("_", " ")
        say(f"{label['label']} {label['criterion']} {standing}  {label['signedHash']}")
        for one in label["disputes"]:
            worth = "withdrawn" if one["withdrawn"] else "suspends" if one["suspends"] else "noted"
            say(f"{worth}  {one['agent']['id']}: {one['reason']}  {one['signedHash']}")
    if not labels:
        say("nothing is known of it")


def _labels(client: Client, statement: str) -> list[dict[str, Any]]:
    found = client.graphql(_LABELS, {"id": statement})["statement"]
    if found is None:
        raise CommandError(f"no statement {statement} is there")
    return [{**label, "disputes": label["disputes"]["nodes"]} for label in found["goldLabels"]]


def _last_label(client: Client, statement: str, criterion: str) -> dict[str, Any]:
    own = [one for one in _labels(client, statement) if one["criterion"] == criterion and one["origin"] is None]
    if not own:
        raise CommandError(f"{statement} has no gold label under {criterion}")
    return own[-1]
