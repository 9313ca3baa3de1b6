"""`a2ap ask`: a question in plain English, answered with rows, and with claims, their evidence and who checked them."""

from typing import Annotated, Any

import typer
from rich.text import Text

from graph.cli.options import DEFAULT_URL, AsJson, Token, Url, open_client
from graph.cli.table import print_table
from graph.cli.terminal import one_line, output, print_json, remark, waiting

_TOPIC = "questions/statements_about"
_QUERY = """
query Ask($question: String!) {
  ask(question: $question) {
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
  statement {
    id
    signedHash
    generatedBy { name }
    citations { sourceDocument byteRange { start end } quote withheld }
  }
}
"""


def ask(
    question: Annotated[str, typer.Argument(help='Such as "What did they say about zoning?"')],
    shown: Annotated[int, typer.Option("--first", min=1, max=100, help="How many answers to show.")] = 6,
    show_query: Annotated[bool, typer.Option("--query", help="Show the query that answered, too.")] = False,
    url: Url = DEFAULT_URL,
    token: Token = None,
    as_json: AsJson = False,
) -> None:
    """Answer a question about the claims."""
    # Ranking needs scientific libraries, which take a while to load.
    from graph.demo import answer
    from graph.demo.answer_text import print_answers
    from graph.demo.voices import speakers_by

    with open_client(url, token) as client:
        with waiting("Asking"):
            found = client.graphql(_QUERY, {"question": question})["ask"]
            # What was said about a topic has an order of its own, and a form that shows who checked it.
            answers = answer.ask(client, question) if found["template"] == _TOPIC else ()
        if as_json:
            print_json(found | {"answers": [one.as_json() for one in answers[:shown]]})
            return
        if found["template"] == _TOPIC:
            print_answers(output(), question, answers, speaker_of=speakers_by(client), shown=shown)
        else:
            _print_answer(found, shown)
    if show_query:
        output().print(Text(found["query"]["cypher"], "dim"), soft_wrap=True)
    remark(found["note"] or f"The query is by {found['answeredBy']}.")


def _print_answer(found: dict[str, Any], shown: int) -> None:
    query = found["query"]
    print_table(query["columns"], query["rows"][:shown])
    left = len(query["rows"]) - shown
    if left > 0 or query["truncated"]:
        output().print(Text(f"and {max(left, 0)}{' or more' if query['truncated'] else ''} more rows", "dim"))
    for heading, sentences in (("Accepted:", found["accepted"]), ("Not yet accepted:", found["notYetAccepted"])):
        if sentences:
            output().print(Text(heading, "bold"))
        for sentence in sentences[:shown]:
            _print_sentence(sentence)


def _print_sentence(sentence: dict[str, Any]) -> None:
    output().print(Text(f"  {one_line(sentence['text'])}"))
    for cited in sentence["statement"]["citations"]:
        place = f"{cited['sourceDocument']} bytes {cited['byteRange']['start']}–{cited['byteRange']['end']}"
        words = f"“{cited['quote']}”" if cited["quote"] else cited["withheld"] or "no quote"
        output().print(Text(f"    {one_line(f'{words} ({place})')}", "italic"))
    for missing in sentence["missing"]:
        output().print(Text(f"    {one_line(missing)}", "yellow"))
    statement = sentence["statement"]
    stated = f"{statement['id']}, stated by {statement['generatedBy']['name']}"
    output().print(Text(f"    {one_line(stated)}", "dim"))
