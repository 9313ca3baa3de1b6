"""`a2ap ask`: a question in plain English, answered with claims, their evidence and who checked them."""

from typing import Annotated

import typer

from graph.cli.options import DEFAULT_URL, AsJson, Token, Url, open_client
from graph.cli.terminal import output, print_json, waiting


def ask(
    question: Annotated[str, typer.Argument(help='Such as "What did they say about zoning?"')],
    shown: Annotated[int, typer.Option("--first", min=1, max=100, help="How many answers to show.")] = 6,
    url: Url = DEFAULT_URL,
    token: Token = None,
    as_json: AsJson = False,
) -> None:
    """Answer a question about the claims."""
    # Ranking needs scientific libraries, which take a while to load.
    from graph.demo import answer
    from graph.demo.answer_text import print_answers

    with open_client(url, token) as client, waiting("Asking"):
        answers = answer.ask(client, question)
    if as_json:
        print_json({"question": question, "answers": [found.as_json() for found in answers[:shown]]})
    else:
        print_answers(output(), question, answers, shown=shown)
