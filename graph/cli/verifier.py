"""`a2ap verifier` and `a2ap review`: a verifier that answers requests, and the approval of its verdicts by a person."""

import signal
from typing import TYPE_CHECKING, Annotated, Any

import typer

from a2ap.client import ProblemError, Receipt
from a2ap.messages.policy import DEFAULT_CRITERIA
from a2ap.verifier.stop import Stop
from graph.cli.errors import CommandError
from graph.cli.groups import command_group
from graph.cli.options import (
    DEFAULT_URL,
    AsJson,
    Data,
    Key,
    SignerCommand,
    Token,
    Url,
    check_url,
    open_client,
    read_settings,
)
from graph.cli.signing import AgentKey, fresh_id, open_key
from graph.cli.stop_signals import STOPPING
from graph.cli.terminal import print_json, say
from graph.settings import Settings

if TYPE_CHECKING:
    from a2ap.client import Client
    from a2ap.verifier.desk import Desk
    from a2ap.verifier.records import RunRecord

_METHODS = ("words", "search", "embeddings", "model")

app = command_group("Approve or reject the verdicts that a verifier holds.")

Response = Annotated[str, typer.Argument(help="The id of the verdict, as `a2ap review list` shows it.")]


def verifier(
    key: Key,
    criteria: Annotated[
        list[str] | None,
        typer.Option(
            "--criteria", help=f"A criterion to judge; repeatable. Without it: {', '.join(DEFAULT_CRITERIA)}."
        ),
    ] = None,
    by: Annotated[str, typer.Option("--by", help=f"How to judge claims: {', '.join(_METHODS)}.")] = "words",
    once: Annotated[bool, typer.Option("--once", help="Answer the requests that are open now, and stop.")] = False,
    review: Annotated[
        bool, typer.Option("--review", help="Hold every verdict until a person approves it with `a2ap review`.")
    ] = False,
    again: Annotated[
        str | None,
        typer.Option("--again", help="Judge the statement of this verdict again, and compare."),
    ] = None,
    lease_seconds: Annotated[
        int, typer.Option("--lease-seconds", min=10, max=3600, help="For how long a request is taken.")
    ] = 300,
    most: Annotated[int, typer.Option("--most", min=1, max=100, help="How many requests are taken at once.")] = 10,
    per_day: Annotated[int | None, typer.Option("--per-day", min=0, help="The most verdicts in a day (UTC).")] = None,
    per_model: Annotated[
        int | None, typer.Option("--per-model", min=0, help="The most questions to one model in a day.")
    ] = None,
    model_bytes: Annotated[
        int | None,
        typer.Option("--model-bytes", min=1, help="The most bytes in a question to a model; without it, 24000."),
    ] = None,
    per_requester: Annotated[
        int | None, typer.Option("--per-requester", min=0, help="The most verdicts for one requester in a day.")
    ] = None,
    signer: SignerCommand = None,
    token: Token = None,
    url: Url = DEFAULT_URL,
    data: Data = None,
) -> None:
    """Answer verification requests.

    It takes requests from the platform, reads statement and sources itself, judges, signs and answers, until Ctrl-C or
    SIGTERM; work under way is finished first. Its memory is in the data folder: verdicts that were signed and not sent
    when it ended are sent when it starts again.
    """
    if by not in _METHODS:
        raise CommandError(f"--by is {by!r}, not one of {', '.join(_METHODS)}")
    stop = Stop()
    for number in STOPPING:
        signal.signal(number, stop.note)
    from graph.cli.verifier_work import Work, named_criteria

    settings, agent = read_settings(data), open_key(key, signer)
    work = Work(
        named_criteria(criteria), by, per_day, per_requester, per_model, lease_seconds, most, review, model_bytes
    )
    if again is not None:
        with open_client(url, token) as client:
            _run_again(again, agent, settings, client)
        return
    left = work.run(agent, settings, check_url(url), token, stop, once=once)
    if left:
        raise CommandError(f"{left} request{'s were' if left > 1 else ' was'} left to others")


@app.command("list")
def list_held(key: Key, signer: SignerCommand = None, data: Data = None, as_json: AsJson = False) -> None:
    """List the verdicts that wait for approval."""
    from a2ap.verifier.records import as_json as record_json
    from graph.cli.verifier_work import open_desk

    held = list(open_desk(read_settings(data), open_key(key, signer)).held.all())
    if as_json:
        print_json({"held": [record_json(record) for record in held]})
        return
    for record in held:
        say(f"{record.response_id} {record.verdict} ({record.confidence:g}) on {record.statement_id}")
        if record.claim is not None:
            say(f"- claim: {record.claim}")
        for finding in record.findings:
            say(f"- {finding.criterion} {finding.status} ({finding.confidence:g}): {finding.evidence}")


@app.command("approve")
def approve(
    response: Response, key: Key, signer: SignerCommand = None, url: Url = DEFAULT_URL, data: Data = None
) -> None:
    """Sign a verdict that waits, and send it."""
    from graph.cli.verifier_work import open_desk

    desk = open_desk(read_settings(data), open_key(key, signer))
    record = desk.held.find(response)
    with open_client(url) as client:
        _send(desk.sign_verdict(record), record, desk, client)


@app.command("reject")
def reject(
    response: Response,
    key: Key,
    reason: Annotated[
        str,
        typer.Option("--reason", help="The reason why the request is not answered; the requesting agent can read it."),
    ],
    signer: SignerCommand = None,
    url: Url = DEFAULT_URL,
    data: Data = None,
) -> None:
    """Drop a verdict that waits, and decline the request."""
    from graph.cli.verifier_work import open_desk

    desk = open_desk(read_settings(data), open_key(key, signer))
    record = desk.held.find(response)
    decline = desk.sign_decline(
        record.request_id, record.request_hash, record.statement_id, record.statement_hash, fresh_id(), reason
    )
    with open_client(url) as client:
        _send(decline, record, desk, client)


def _send(message: dict[str, Any], record: "RunRecord", desk: "Desk", client: "Client") -> None:
    answer = desk.send(message, client)
    desk.held.discard(record.response_id)
    if isinstance(answer, ProblemError):
        raise answer
    assert isinstance(answer, Receipt)
    say(f"{message.get('verdict', 'declined')} on {record.statement_id} is log entry {answer.log_index}")


def _run_again(response: str, agent: AgentKey, settings: Settings, client: "Client") -> None:
    from a2ap.verifier.fetching import Fetching
    from graph.cli.verifier_work import open_desk, open_model
    from graph.verifier.again import run_again
    from graph.verifier.criteria import Tools, panel_of
    from graph.verifier.material import Source

    record = open_desk(settings, agent).records.find(response)
    panel = panel_of(record.criteria, Tools(record.method, open_model(settings), record.model_bytes))
    differences = run_again(record, Fetching(client, Source.of), panel)
    if not differences:
        say(f"the same comes out: {record.verdict} ({record.confidence:g}) on {record.statement_id}")
        return
    for one in differences:
        say(f"{one.about}: was {one.before}; is now {one.now}")
    raise typer.Exit(1)
