"""`a2ap ask`: a question in plain English, answered with accepted claims, claims not yet accepted, and the query."""

import json
from typing import Annotated, Any

import typer
from rich.text import Text

from graph.cli.options import DEFAULT_URL, AsJson, Token, Url, open_client
from graph.cli.table import print_table
from graph.cli.terminal import one_line, output, print_json, remark, waiting

_TOPIC = "questions/statements_about"
_LEAST = 20
_OF_SCORES = frozenset({"verified", "consensus_score", "score"})
_QUERY = """
query Ask($question: String!, $first: Int!) {
  ask(question: $question, first: $first) {
    question
    answeredBy
    template
    note
    query { cypher parameters columns rows truncated withheld }
    accepted { ...Behind }
    notYetAccepted { ...Behind }
  }
}
fragment Behind on AnswerSentence {
  text
  missing
  statement { signedHash ...StatementRead }
}
"""


def ask(
    question: Annotated[str, typer.Argument(help='Such as "What did they say about zoning?"')],
    shown: Annotated[int, typer.Option("--first", min=1, max=100, help="How many of each kind to show.")] = 6,
    show_query: Annotated[
        bool, typer.Option("--query/--no-query", help="Show the query that answered, its parameters and its rows.")
    ] = True,
    url: Url = DEFAULT_URL,
    token: Token = None,
    as_json: AsJson = False,
) -> None:
    """Answer a question about the claims."""
    # Ranking needs scientific libraries, which take a while to load.
    from graph.demo.answer_text import print_answers, print_question, print_statements
    from graph.demo.asking import STATEMENT_READ, answers_of, best_first
    from graph.demo.voices import speakers_by

    with open_client(url, token) as client:
        with waiting("Asking"):
            asked = {"question": question, "first": max(shown, _LEAST)}
            found = client.graphql(_QUERY + STATEMENT_READ, asked)["ask"]
        # The statements about a topic are an answer by themselves, the best first; other questions ask for rows.
        of_topic = found["template"] == _TOPIC
        answers = best_first(question, answers_of(found)) if of_topic else answers_of(found)
        if as_json:
            told = [one.as_json() for one in answers[:shown]] if of_topic else []
            print_json(found | {"answers": told})
            return
        if of_topic:
            print_answers(output(), question, answers, speaker_of=speakers_by(client), shown=shown)
        else:
            print_question(output(), question)
            _print_rows(found["query"], shown)
            print_statements(output(), answers, speaker_of=speakers_by(client), shown=shown)
    if show_query:
        _print_query(found["query"], shown, rows=of_topic)
    remark(found["note"] or f"The query is by {found['answeredBy']}.")


def _print_query(query: dict[str, Any], shown: int, *, rows: bool) -> None:
    if rows and query["rows"]:
        _print_rows(query, shown)
        output().print()
    output().print(Text("Query:", "bold"))
    output().print(Text(query["cypher"], "dim"), soft_wrap=True)
    for name, value in query["parameters"].items():
        given = one_line(f"${name} = {json.dumps(value, ensure_ascii=False)}")
        output().print(Text(given, "dim"), soft_wrap=True)


def _print_rows(query: dict[str, Any], shown: int) -> None:
    output().print(Text("Rows:", "bold"))
    print_table(query["columns"], query["rows"][:shown])
    if not _OF_SCORES.isdisjoint(query["columns"]):
        output().print(Text("(the meaning of a score, its interval and its operators stand with its statement)", "dim"))
    left = len(query["rows"]) - shown
    if left > 0 or query["truncated"]:
        output().print(Text(f"and {max(left, 0)}{' or more' if query['truncated'] else ''} more rows", "dim"))
