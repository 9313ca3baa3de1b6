"""`a2ap graph sparql`: query a running platform, or the database that the settings name, in SPARQL."""

import asyncio
import sys
from enum import StrEnum
from typing import Annotated

import httpx
import typer

from a2ap.boundary import Boundary
from a2ap.client import UnreachableError, is_loopback
from graph.cli.errors import CommandError
from graph.cli.options import Data, Token, check_clearance, check_url, read_settings
from graph.cli.refusals import detail_of
from graph.settings import Settings


class Form(StrEnum):
    """The forms of a printed answer: the first four for rows, the last two for triples."""

    TSV = "tsv"
    CSV = "csv"
    JSON = "json"
    XML = "xml"
    TURTLE = "turtle"
    N_TRIPLES = "nt"


_TYPES = {
    Form.TSV: "text/tab-separated-values, text/turtle;q=0.5",
    Form.CSV: "text/csv, text/turtle;q=0.5",
    Form.JSON: "application/sparql-results+json, text/turtle;q=0.5",
    Form.XML: "application/sparql-results+xml, text/turtle;q=0.5",
    Form.TURTLE: "text/turtle, text/tab-separated-values;q=0.5",
    Form.N_TRIPLES: "application/n-triples, text/tab-separated-values;q=0.5",
}


def sparql(
    query: Annotated[str, typer.Argument(help="A SELECT, ASK, CONSTRUCT or DESCRIBE query; - reads standard input.")],
    form: Annotated[Form, typer.Option("--format", help="How to print the answer.")] = Form.TSV,
    clearance: Annotated[
        Boundary,
        typer.Option(
            "--clearance", help="The clearance of the reader: texts of a stricter class are left out. Not with --url."
        ),
    ] = Boundary.PUBLIC,
    data: Data = None,
    url: Annotated[
        str | None, typer.Option("--url", help="Ask a running platform instead of opening its database.")
    ] = None,
    token: Token = None,
) -> None:
    """Answer a SPARQL query over the exported triples.

    The prefixes a2ap:, prov:, np:, schema:, sec:, rdf: and xsd: are known.
    """
    check_clearance(clearance, url)
    text = sys.stdin.read() if query == "-" else query
    if url is not None:
        answer = _asked(check_url(url), token, text, form)
    else:
        answer = asyncio.run(_local(read_settings(data), clearance, text, form))
    sys.stdout.buffer.write(answer)


async def _local(settings: Settings, clearance: Boundary, query: str, form: Form) -> bytes:
    # The driver takes a while to load, and most commands need no database.
    from graph.content.content_store import open_content_store
    from graph.sparql.stores import SparqlStores, Wanted
    from graph.store import open_store

    if settings.neo4j_uri is None and not settings.data.is_dir():
        raise CommandError(f"there is no data folder {settings.data}")
    is_triples = form in (Form.TURTLE, Form.N_TRIPLES)
    wanted = Wanted(triples=form.value) if is_triples else Wanted(results=form.value)
    async with open_store(settings) as store:
        stores = SparqlStores.of(store, open_content_store(settings), settings)
        try:
            return (await stores.ask(clearance, query, wanted)).content
        finally:
            await stores.aclose()


def _asked(url: str, token: str | None, query: str, form: Form) -> bytes:
    headers = {"accept": _TYPES[form], "content-type": "application/sparql-query"}
    if token:
        headers["authorization"] = f"Bearer {token}"
    try:
        with httpx.Client(timeout=120.0, trust_env=not is_loopback(url)) as client:
            response = client.post(f"{url}/sparql", content=query.encode(), headers=headers)
    except httpx.HTTPError as error:
        raise UnreachableError(f"{url} does not answer: {type(error).__name__}") from error
    if not response.is_success:
        raise CommandError(f"{url} answered {response.status_code}: {detail_of(response)}")
    return response.content
