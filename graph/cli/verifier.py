"""`a2ap verifier` and `a2ap review`: a verifier that answers requests, and a person who approves its verdicts."""

import re
import signal
from typing import TYPE_CHECKING, Annotated, Any

import typer

from a2ap.client import ProblemError, Receipt
from a2ap.policy import DEFAULT_CRITERIA
from graph.cli.errors import CommandError
from graph.cli.groups import command_group
from graph.cli.options import DEFAULT_URL, AsJson, Data, Key, SignerCommand, Token, Url, open_client, read_settings
from graph.cli.signing import AgentKey, fresh_id, now, open_key
from graph.cli.stop_signals import STOPPING
from graph.cli.terminal import print_json, remark, say
from graph.settings import Settings
from graph.verifier.stop import Stop

if TYPE_CHECKING:
    from a2ap.client import Client
    from graph.verifier.chat_model import LanguageModel
    from graph.verifier.desk import Desk
    from graph.verifier.records import RunRecord

_METHODS = ("words", "search", "embeddings", "model")

app = command_group("Approve or reject the verdicts that a verifier holds.")

Response = Annotated[str, typer.Argument(help="The id of the verdict, as `a2ap review list` shows it.")]


def verifier(
    key: Key,
    criteria: Annotated[
        list[str] | None,
        typer.Option("--criteria", help=f"What to judge; repeatable. Without it: {', '.join(DEFAULT_CRITERIA)}."),
    ] = None,
    by: Annotated[str, typer.Option("--by", help=f"How to judge claims: {', '.join(_METHODS)}.")] = "words",
    once: Annotated[bool, typer.Option("--once", help="Answer what is open now, and stop.")] = False,
    review: Annotated[
        bool, typer.Option("--review", help="Hold every verdict until a person approves it with `a2ap review`.")
    ] = False,
    again: Annotated[
        str | None,
        typer.Option("--again", help="Judge again what this verdict is on, and say whether the same comes out."),
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
    SIGTERM; what is under way is finished first. Its memory is in the data folder: what was signed and not sent when it
    ended is sent when it starts again.
    """
    stop = Stop()
    for number in STOPPING:
        signal.signal(number, stop.note)
    from graph.verifier.budget import Budget, Limits, MeteredModel
    from graph.verifier.criteria import MODEL_BYTES, Panel, Tools
    from graph.verifier.task import Terms
    from graph.verifier.worker import Worker

    settings, agent = read_settings(data), open_key(key, signer)
    desk = _open_desk(settings, agent)
    if again is not None:
        with open_client(url, token) as client:
            _run_again(again, desk, settings, client)
        return
    if by not in _METHODS:
        raise CommandError(f"--by is {by!r}, not one of {', '.join(_METHODS)}")
    lock = desk.lock()
    budget = Budget(desk.folder / "budget.json", Limits(per_day, per_requester, per_model), now)
    model = _open_model(settings)
    metered = MeteredModel(model, budget) if model is not None else None
    tools = Tools(by, metered, model_bytes or MODEL_BYTES)
    panel = Panel.of(_names(criteria), tools)
    with open_client(url, token) as client:
        worker = Worker(
            client,
            desk,
            panel,
            budget,
            Terms(lease_seconds, most, review=review, method=by, model_bytes=tools.model_bytes),
            sign=_signing(agent),
            clock=now,
            new_id=fresh_id,
            say=say,
            model=model.name if model is not None and by == "model" else None,
        )
        remark(f"{agent.agent_id} answers {', '.join(panel.names)} for {client.base_url}")
        if once:
            worker.run_once(stop)
        else:
            worker.run(stop)
    lock.close()
    if once and worker.left_open:
        raise CommandError(f"{worker.left_open} request{'s were' if worker.left_open > 1 else ' was'} left to others")


@app.command("list")
def list_held(key: Key, signer: SignerCommand = None, data: Data = None, as_json: AsJson = False) -> None:
    """List the verdicts that wait for approval."""
    from graph.verifier.records import as_json as record_json

    held = list(_open_desk(read_settings(data), open_key(key, signer)).held.all())
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
    desk = _open_desk(read_settings(data), open_key(key, signer))
    record = desk.held.find(response)
    with open_client(url) as client:
        _send(desk.sign_verdict(record), record, desk, client)


@app.command("reject")
def reject(
    response: Response,
    key: Key,
    reason: Annotated[str, typer.Option("--reason", help="Why the request is not answered; whoever asks is told.")],
    signer: SignerCommand = None,
    url: Url = DEFAULT_URL,
    data: Data = None,
) -> None:
    """Drop a verdict that waits, and decline the request."""
    desk = _open_desk(read_settings(data), open_key(key, signer))
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


def _run_again(response: str, desk: "Desk", settings: Settings, client: "Client") -> None:
    from graph.verifier.again import run_again
    from graph.verifier.criteria import Panel, Tools
    from graph.verifier.fetching import Fetching

    record = desk.records.find(response)
    panel = Panel.of(record.criteria, Tools(record.method, _open_model(settings), record.model_bytes))
    differences = run_again(record, Fetching(client), panel)
    if not differences:
        say(f"the same comes out: {record.verdict} ({record.confidence:g}) on {record.statement_id}")
        return
    for one in differences:
        say(f"{one.about}: was {one.before}; is now {one.now}")
    raise typer.Exit(1)


def _open_desk(settings: Settings, agent: AgentKey) -> "Desk":
    from graph.verifier.desk import Desk

    name = re.sub(r"[^\w.-]+", "-", agent.agent_id).strip("-.")[-80:]
    return Desk(settings.data / "verifiers" / name, agent.agent_id, _signing(agent), now)


def _signing(agent: AgentKey) -> "Any":
    from a2ap.signature import sign_message

    return lambda message: sign_message(message, agent.key, agent.key_id)


def _open_model(settings: Settings) -> "LanguageModel | None":
    from graph.verifier.chat_model import ChatModel

    if settings.llm_url is None:
        return None
    if settings.llm_model is None:
        raise CommandError("A2AP_LLM_URL is set, and A2AP_LLM_MODEL does not say which model to use")
    return ChatModel(settings.llm_url, settings.llm_model, settings.llm_key)


def _names(criteria: list[str] | None) -> list[str]:
    names = [name.strip() for text in criteria or DEFAULT_CRITERIA for name in text.split(",")]
    return [name for name in dict.fromkeys(names) if name]
