"""`a2ap log watch`: the events of a platform as they happen: the log, verdicts, requests, scores."""

import os
from collections.abc import Callable, Iterator
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from graph.cli.errors import CommandError
from graph.cli.options import DEFAULT_URL, Token, Url, open_client
from graph.cli.terminal import print_document, say
from graph.scoring.standing import grounds_of, read_grounds


class What(StrEnum):
    """The kinds of event that can be watched."""

    LOG = "log"
    VERDICTS = "verdicts"
    REQUESTS = "requests"
    SCORES = "scores"


_QUERIES = {
    What.LOG: """subscription { logGrowth(first: 100) {
      size rootHash entries { logIndex receivedAt type id agent signedHash } } }""",
    What.VERDICTS: """subscription ($statement: ID) { verdicts(statementId: $statement) {
      logIndex id verdict confidence reason withheld agent { id } statement { id signedHash claimText } } }""",
    What.REQUESTS: """subscription ($criteria: [String!]) { verificationRequests(criteria: $criteria) {
      id signedHash criteria deadline agent { id } statement { id signedHash claimText } } }""",
    What.SCORES: """subscription ($statement: ID, $topic: String) {
      scoreChanges(statementId: $statement, topic: $topic) {
        score scoreBefore verified verifiedBefore logSize
        statement { id signedHash claimText claimKind standing consensus { interval { low high } operators } } } }""",
}


def watch(
    what: Annotated[What, typer.Argument(help="The events to watch.", show_default=False)] = What.LOG,
    statement: Annotated[
        str | None, typer.Option("--statement", help="Verdicts on it, or its score alone: its id or hash.")
    ] = None,
    topic: Annotated[str | None, typer.Option("--topic", help="Scores of statements about these words.")] = None,
    criterion: Annotated[
        list[str] | None, typer.Option("--criterion", help="Requests for verdicts on it; repeatable.")
    ] = None,
    after: Annotated[str | None, typer.Option("--after", help="A cursor, behind which to go on.")] = None,
    cursor_file: Annotated[
        Path | None,
        typer.Option("--cursor-file", help="Where the cursor of the last event is kept, to go on from the next time."),
    ] = None,
    first: Annotated[int | None, typer.Option("--first", min=1, help="End after so many events.")] = None,
    url: Url = DEFAULT_URL,
    token: Token = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object on a line for each event.")] = False,
) -> None:
    """Print events as they happen.

    A line for each entry of the log, verdict, request or change of a score: from now on, or from where it ended the
    last time. If the platform is started again, the command waits for it. Ctrl-C ends it.
    """
    _check(what, statement, topic, criterion)
    variables = {"statement": statement, "topic": topic, "criteria": criterion}
    named = {name: value for name, value in variables.items() if f"${name}" in _QUERIES[what] and value}
    kept = _kept(cursor_file)
    with open_client(url, token) as client:
        for number, event in enumerate(client.follow(_QUERIES[what], named, after=after or kept), 1):
            if as_json:
                print_document({"cursor": event.cursor, what.value: event.told})
            else:
                for line in _LINES[what](event.told):
                    say(line)
            if cursor_file is not None:
                _keep(cursor_file, event.cursor)
            if number == first:
                return


def _check(what: What, statement: str | None, topic: str | None, criterion: list[str] | None) -> None:
    if what is What.SCORES and (statement is None) == (topic is None):
        raise CommandError("scores are of a --statement or of a --topic, one of them")
    for option, value, meant in (
        ("--statement", statement, (What.VERDICTS, What.SCORES)),
        ("--topic", topic, (What.SCORES,)),
        ("--criterion", criterion, (What.REQUESTS,)),
    ):
        if value and what not in meant:
            raise CommandError(f"{option} is of {' and '.join(meant)}, not of {what}")


def _kept(file: Path | None) -> str | None:
    try:
        return None if file is None else file.read_text(encoding="utf-8").strip() or None
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise CommandError(f"{file} cannot be read: {error}") from error


def _keep(file: Path, cursor: str) -> None:
    """Replace a file as a whole, so that no half cursor is left."""
    beside = file.with_name(file.name + ".new")
    try:
        beside.write_text(cursor + "\n", encoding="utf-8")
        os.replace(beside, file)
    except OSError as error:
        raise CommandError(f"{file} cannot be written: {error}") from error


def _log_lines(told: dict[str, Any]) -> Iterator[str]:
    for entry in told["entries"]:
        yield f"{entry['logIndex']}  {entry['receivedAt']}  {entry['type']}  {entry['id']}  {entry['agent']}"


def _verdict_lines(told: dict[str, Any]) -> Iterator[str]:
    words = f": {told['reason']}" if told["reason"] else ""
    sure = f"{told['verdict']} ({told['confidence']:.2f})"
    yield f"{told['logIndex']}  {sure}  {told['statement']['id']}  {told['agent']['id']}{words}"


def _request_lines(told: dict[str, Any]) -> Iterator[str]:
    yield f"{told['id']}  {told['statement']['id']}  {', '.join(told['criteria'])}  {told['agent']['id']}"


def _score_lines(told: dict[str, Any]) -> Iterator[str]:
    statement = told["statement"]
    standing, grounds = statement["standing"].partition(":")[0], grounds_of(*read_grounds(statement["consensus"]))
    change = f"{told['scoreBefore']:.4f} to {told['score']:.4f} ({grounds})"
    yield f"{change}  {standing}  {statement['id']}  {statement['claimText']}"


_LINES: dict[What, Callable[[dict[str, Any]], Iterator[str]]] = {
    What.LOG: _log_lines,
    What.VERDICTS: _verdict_lines,
    What.REQUESTS: _request_lines,
    What.SCORES: _score_lines,
}
