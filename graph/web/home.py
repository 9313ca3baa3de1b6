"""The home page: one question field, examples that this node answers, counts, and the health of the log."""

from fastapi import APIRouter
from fastapi.responses import Response

from a2ap.errors import LogFormatError
from a2ap.log.signed_note import read_note
from graph.web.negotiation import PageRoute
from graph.web.page import PagesOf, Twin
from graph.web.suggestions import examples_of, questions_of

router = APIRouter(route_class=PageRoute, include_in_schema=False)


@router.head("/")
@router.get("/")
async def home(pages: PagesOf) -> Response:
    """Show the home page."""
    data = await pages.ask("home")
    log, topics, statements = data["log"], data["topics"], data["statements"]["nodes"]
    shown = {
        **data,
        "questions": questions_of(topics, statements),
        "examples": examples_of(topics, statements),
        "witnesses": witnesses_of(log["checkpoint"], log["origin"]),
    }
    return pages.render("home", shown, query="home", twins=Twin.of("", "JSON"))


def witnesses_of(checkpoint: str, origin: str) -> tuple[str, ...]:
    """Return the names under a checkpoint that are not the log's own, each once; their signatures are not verified."""
    try:
        signatures = read_note(checkpoint).signatures
    except LogFormatError:
        return ()
    return tuple(dict.fromkeys(one.name for one in signatures if one.name != origin))
