"""`a2ap mcp`: the agent's tools for language models, over stdio or streamable HTTP."""

import asyncio
import getpass
import os
import secrets
import socket
import sys
from pathlib import Path
from typing import Annotated

import typer
import uvicorn

from a2ap.agent.async_agent import AsyncAgent
from a2ap.agent.base import DEFAULT_NODE
from a2ap.agent.identity import KEY_VARIABLE, NODE_VARIABLE, PASSPHRASE_VARIABLE, TOKEN_VARIABLE, Identity
from a2ap.mcp.access import Access
from a2ap.mcp.errors import ServerError
from a2ap.mcp.folders import Folders
from a2ap.mcp.http_endpoint import DEFAULT_PORT, PATH, Endpoint, create_app
from a2ap.mcp.http_endpoint import TOKEN_VARIABLE as HTTP_TOKEN_VARIABLE
from a2ap.mcp.node_reader import NodeReader
from a2ap.mcp.server import AgentServer
from a2ap.signing.keys import KEY_BYTES, SigningKey

_READER = "urn:agent:reader"


def mcp(
    key: Annotated[
        Path | None,
        typer.Option(
            "--key", envvar=KEY_VARIABLE, help="The agent's key file; --read-only needs none.", show_default=False
        ),
    ] = None,
    node: Annotated[
        str, typer.Option("--node", "--url", envvar=NODE_VARIABLE, help="The address of the node.", show_default=True)
    ] = DEFAULT_NODE,
    token: Annotated[
        str | None,
        typer.Option("--token", envvar=TOKEN_VARIABLE, help="The agent's token at the node.", show_default=False),
    ] = None,
    log_key: Annotated[
        str | None,
        typer.Option("--log-key", help="The verifier key of the node's log; the first one seen is kept without it."),
    ] = None,
    folders: Annotated[
        list[Path] | None,
        typer.Option("--folder", help="A folder whose files may be published as sources; repeatable.", file_okay=False),
    ] = None,
    read_only: Annotated[bool, typer.Option("--read-only", help="Leave out the tools that sign.")] = False,
    without_confirmation: Annotated[
        bool,
        typer.Option(
            "--sign-without-confirmation", help="Sign for clients that cannot ask their user; others are still asked."
        ),
    ] = False,
    http: Annotated[bool, typer.Option("--http", help="Serve streamable HTTP instead of stdio.")] = False,
    host: Annotated[str, typer.Option("--host", help="The address to listen on with --http.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, help="The port with --http; 0 is any free one.")
    ] = DEFAULT_PORT,
    names: Annotated[
        list[str] | None,
        typer.Option("--name", help="A host name under which other machines reach it; repeatable."),
    ] = None,
    http_token: Annotated[
        str | None,
        typer.Option(
            "--http-token",
            envvar=HTTP_TOKEN_VARIABLE,
            help="The bearer token of clients over HTTP; other machines need one.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Serve an agent's tools to language models over MCP.

    The client starts it, talks to it over stdio, and ends it. With --http it serves streamable HTTP until Ctrl-C.
    """
    endpoint = Endpoint(host, port, tuple(names or ()), http_token) if http else None
    try:
        opened = Folders(tuple(folders or ()), key)
    except OSError as error:
        raise ServerError(f"--folder is {error.filename}: {error.strerror}") from error
    if key is None and not read_only:
        raise ServerError(f"no key file: state --key or {KEY_VARIABLE}, or --read-only")
    try:
        agent = _agent(None if read_only and key is None else key, node, token, log_key)
        reader = NodeReader(node, token)
    except ValueError as error:
        raise ServerError(str(error)) from error
    access = Access(agent, reader, opened, without_confirmation=without_confirmation, read_only=read_only)
    try:
        asyncio.run(_serve(access, endpoint))
    except KeyboardInterrupt:
        typer.echo("stopped", err=True)


def _agent(key: Path | None, node: str, token: str | None, log_key: str | None) -> AsyncAgent:
    """Return the agent of a key file, or a reader whose key is made for this run and never used."""
    if key is None:
        new = SigningKey.generate(secrets.token_bytes(KEY_BYTES))
        return AsyncAgent(Identity(_READER, f"{_READER}#1", new), node, token=token, log_key=log_key)
    return AsyncAgent.load(key, node, passphrase=_passphrase, token=token, log_key=log_key)


def _passphrase() -> str:
    stated = os.environ.get(PASSPHRASE_VARIABLE)
    if stated is not None:
        return stated
    if not sys.stdin.isatty():
        raise ServerError(f"the key file is encrypted: {PASSPHRASE_VARIABLE} states its passphrase")
    return getpass.getpass("Passphrase: ")


async def _serve(access: Access, endpoint: Endpoint | None) -> None:
    async with access.agent, access.reader:
        server = AgentServer(access)
        if endpoint is None:
            await server.run_stdio_async()
            return
        app = create_app(server, endpoint)
        opened = _bind(endpoint)
        host = f"[{endpoint.host}]" if ":" in endpoint.host else endpoint.host
        typer.echo(f"MCP at http://{host}:{opened.getsockname()[1]}{PATH}", err=True)
        config = uvicorn.Config(app, log_config=None, access_log=False, server_header=False)
        await uvicorn.Server(config).serve(sockets=[opened])


def _bind(endpoint: Endpoint) -> socket.socket:
    family = socket.AF_INET6 if ":" in endpoint.host else socket.AF_INET
    opened = socket.socket(family, socket.SOCK_STREAM)
    try:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        opened.bind((endpoint.host, endpoint.port))
        opened.listen()
    except OSError as error:
        opened.close()
        words = f"{endpoint.host}:{endpoint.port} cannot be listened on: {error.strerror or error}"
        raise ServerError(words) from error
    return opened
