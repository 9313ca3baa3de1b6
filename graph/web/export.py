"""The page of exports: a selection of statements, its first rows, the download, and the lines that load it."""

from shlex import quote
from urllib.parse import urlencode

from fastapi import APIRouter
from fastapi.responses import Response

from graph.export import FORMATS, ExportFormat
from graph.export.archive import MEDIA_TYPE
from graph.web.address import node_address
from graph.web.choices import chosen_text, chosen_value
from graph.web.export_guide import GUIDES, file_name
from graph.web.negotiation import PageRoute
from graph.web.page import PagesOf

router = APIRouter(route_class=PageRoute, include_in_schema=False)

_VERIFIED = {"true": True, "false": False}
_ROWS = 8


@router.get("/export")
async def export(pages: PagesOf) -> Response:
    """Show the form of an export; a program gets the export itself at the same address."""
    request = pages.request
    words = {name: chosen_text(request, name) for name in ("query", "agent", "source")}
    verified = chosen_value(request, "verified", _VERIFIED)
    preselected = next(one for one in GUIDES if FORMATS[one].is_installed)
    chosen = ExportFormat(chosen_value(request, "format", tuple(ExportFormat)) or preselected)
    conditions = {
        "topic": words["query"],
        "agent": words["agent"],
        "source": words["source"],
        "verified": None if verified is None else _VERIFIED[verified],
    }
    variables = {"filter": conditions, "first": _ROWS}
    data = await pages.ask("export", **variables)
    stated = {**words, "verified": verified, "format": chosen.value, "size": pages.as_of}
    address = "export?" + urlencode({name: value for name, value in stated.items() if value is not None})
    node = node_address(data["thisNode"]["url"], request)
    shown = {
        **data,
        "stated": stated,
        "formats": [(one.value, format_words(one), FORMATS[one].is_installed) for one in GUIDES],
        "installed": FORMATS[chosen].is_installed,
        "installation": installation(chosen),
        "guide": GUIDES[chosen],
        "file": file_name(chosen),
        "download": f"{address}&{urlencode({'_mediatype': _media_type(chosen)})}",
        "commands": commands(f"{node}/{address}", chosen),
    }
    return pages.render("export", shown, query="export", variables=variables)


def format_words(one: ExportFormat) -> str:
    """Return a format in words; of one that this installation cannot write, with the command that installs it."""
    described = f"{one.value}: {GUIDES[one].holds}"
    return described if FORMATS[one].is_installed else f"{described} (not installed: {installation(one)})"


def installation(one: ExportFormat) -> str | None:
    """Return the command that installs the library of a format; None if it needs none."""
    extra = FORMATS[one].extra
    return None if extra is None else f"pip install 'a2ap[{extra}]'"


def commands(address: str, chosen: ExportFormat) -> str:
    """Return the commands of a shell that fetch an export, and unpack it if it is an archive."""
    fetch = f"curl -f -o {file_name(chosen)} {quote(address)}"
    return f"{fetch}\nunzip {file_name(chosen)} -d tables" if FORMATS[chosen].is_several else fetch


def _media_type(chosen: ExportFormat) -> str:
    return MEDIA_TYPE if FORMATS[chosen].is_several else FORMATS[chosen].media_type
