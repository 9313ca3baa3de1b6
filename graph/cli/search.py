"""`a2ap search`: statements found by words and by meaning, and the index of their meanings."""

import asyncio
from typing import Annotated, Any

import typer
from rich.text import Text
from typer.core import TyperGroup

from graph.cli.errors import CommandError
from graph.cli.options import DEFAULT_URL, AsJson, Data, Token, Url, open_client, read_settings
from graph.cli.terminal import counted, one_line, output, print_json, remark, say, waiting
from graph.scoring.standing import read_grounds, score_words
from graph.settings import Settings

_SHOWN_EVIDENCE = 2
_HELP = ("-h", "--help")


class _Searching(TyperGroup):
    """Takes arguments that are no command for a query: `a2ap search zoning` is `a2ap search find zoning`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put the command `find` in front of a query."""
        if not args or args[0] not in (*self.commands, *_HELP):
            args = ["find", *args]
        return super().parse_args(ctx, args)


app = typer.Typer(name="search", cls=_Searching, help="Find statements by words and by meaning.")


@app.command("find")
def find(
    query: Annotated[list[str], typer.Argument(help="Words, phrases, beginnings*, fields, AND, OR, NOT.")],
    first: Annotated[int, typer.Option("--first", min=1, max=200, help="How many at most.")] = 10,
    url: Url = DEFAULT_URL,
    token: Token = None,
    as_json: AsJson = False,
) -> None:
    """Find statements, best first.

    `claim:`, `evidence:`, `title:` and `agent:` say where a word must stand. The hits are printed with the query's
    words marked. A query that begins with a command of this group needs `find` before it.
    """
    with open_client(url, token) as client, waiting("Searching"):
        answer = client.search(" ".join(query), first=first)
    if as_json:
        print_json(answer)
        return
    for hit in answer["hits"]:
        _print_hit(hit)
    how = "words and meaning" if answer["byMeaning"] else "words"
    remark(f"{counted(len(answer['hits']), 'statement')} by {how}")


@app.command("index")
def index(data: Data = None) -> None:
    """Build the index of meaning at once.

    A server does it by itself, a while after a statement has come. This command goes on from where the index was, and
    may be stopped and run beside a server.
    """
    settings = read_settings(data)
    if settings.embeddings_model is None:
        raise CommandError("A2AP_EMBEDDINGS_MODEL is not set: there is no model for an index")
    size = asyncio.run(_index(settings))
    say(f"The index goes to entry {size} of the log, by {settings.embeddings_model}")


async def _index(settings: Settings) -> int:
    from graph.platform import open_platform
    from graph.services.search_indexing import indexing_of

    async with open_platform(settings) as platform:
        indexing = indexing_of(platform)
        assert indexing is not None
        async for state in indexing.catch_up():
            remark(f"{state.log_size} entries")
        return await indexing.log_size()


def _print_hit(hit: dict[str, Any]) -> None:
    mark = f"{hit['standing'].partition(':')[0]}, {score_words(hit['consensusScore'], *read_grounds(hit))}"
    output().print(Text(f"{hit['rank']}. ").append(_marked(hit["claim"])))
    output().print(Text(f"   {hit['statement']['id']} by {one_line(hit['statement']['agent'])}", "dim"))
    output().print(Text(f"   {mark}", "dim"))
    for evidence in hit["evidence"][:_SHOWN_EVIDENCE]:
        if evidence["quote"]["text"]:
            output().print(Text("   > ").append(_marked(evidence["quote"])))
        elif evidence["withheld"]:
            output().print(Text(f"   > withheld: {one_line(evidence['withheld'])}", "dim"))


def _marked(shown: dict[str, Any]) -> Text:
    """Return a text on one line with the words of the query in bold."""
    text, place = Text(), 0
    for span in shown["highlights"]:
        text.append(_line(shown["text"][place : span["start"]]))
        text.append(_line(shown["text"][span["start"] : span["end"]]), "bold")
        place = span["end"]
    return text.append(_line(shown["text"][place:]))


def _line(text: str) -> str:
    # Without trimming: the parts of a text are put together again.
    return one_line(f"|{text}|")[1:-1]
