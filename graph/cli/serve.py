"""`a2ap serve`: the platform as a server, until it is told to stop."""

import asyncio
import gc
import logging
import socket
from contextlib import AsyncExitStack
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer

from graph.cli.browser import open_home_page
from graph.cli.operator_token import with_operator_token
from graph.cli.options import Data, read_settings
from graph.cli.stop_signals import StopSignals
from graph.cli.terminal import remark, say, waiting
from graph.settings import Settings


def serve(
    host: Annotated[str | None, typer.Option("--host", help="The address to listen on, instead of A2AP_HOST.")] = None,
    port: Annotated[
        int | None, typer.Option("--port", min=0, max=65535, help="The port, instead of A2AP_PORT; 0 is any free one.")
    ] = None,
    data: Data = None,
    open_home: Annotated[
        bool, typer.Option("--open", help="Open the home page in the browser once the platform is ready.")
    ] = False,
    verbose: Annotated[bool, typer.Option("--verbose", help="Log requests and events.")] = False,
) -> None:
    """Run the platform as a server.

    It answers over HTTP and GraphQL, with pages for a browser, on Neo4j if NEO4J_URI is set and on the embedded engine
    otherwise. Ctrl-C or SIGTERM stops it and everything it started.
    """
    logging.basicConfig(
        level=logging.INFO if verbose else logging.WARNING, format="%(asctime)s %(levelname)s %(name)s: %(message)s"
    )
    signals = StopSignals()
    # The modules of the server take a while to load, and no other command needs them.
    from graph.cli.server import bind, until_stopped

    settings, token_file = with_operator_token(read_settings(data))
    settings = replace(settings, host=host or settings.host)
    opened = bind(settings.host, settings.port if port is None else port)
    if asyncio.run(until_stopped(_serve(settings, opened, token_file, open_home=open_home), signals)):
        remark("stopped")


async def _serve(settings: Settings, opened: socket.socket, token_file: Path | None, *, open_home: bool) -> None:
    from graph.cli.server import listening
    from graph.doctor.judgements import UNWITNESSED, WITNESS_REMEDY
    from graph.federation.here import Here
    from graph.federation.pulling import pulling
    from graph.platform import open_platform, utc_now
    from graph.services.retention_job import keeping
    from graph.services.search_indexing import following
    from graph.transparency.witnesses import witnesses_to_ask

    # The application's modules take as long to load as the database to start.
    application = asyncio.create_task(asyncio.to_thread(import_module, "graph.app"))
    async with AsyncExitStack() as stack:
        with waiting("Starting the graph database"):
            platform = await stack.enter_async_context(open_platform(settings))
        await stack.enter_async_context(pulling(Here.of(platform), settings.pull_interval))
        await stack.enter_async_context(keeping(platform, utc_now))
        await stack.enter_async_context(following(platform))
        app = (await application).create_app(platform, settings)
        # The objects that are made by now stay: looking through them for garbage, again and again, finds none.
        gc.freeze()
        address = await stack.enter_async_context(listening(app, opened, platform.subscribers.ended.set, settings))
        engine = f"Neo4j at {settings.neo4j_uri}" if settings.neo4j_uri else "Embedded engine"
        say(f"A2AP platform at {address}")
        say(f"GraphQL playground at {address}/graphql")
        say(f"{engine}, data in {settings.data}")
        if token_file is not None:
            say(f"Operator's token in {token_file}")
        if not witnesses_to_ask(settings):
            remark(f"Warning: {UNWITNESSED}. Remedy: {WITNESS_REMEDY}")
        remark("Ctrl-C stops it")
        if open_home:
            open_home_page(address)
        await asyncio.Event().wait()
