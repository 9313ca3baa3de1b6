"""`a2ap demo`: the whole path on a caption file, from signed claims to an answered question."""

import asyncio
import logging
import socket
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from graph.cli.browser import open_home_page
from graph.cli.errors import CommandError
from graph.cli.operator_token import with_operator_token
from graph.cli.options import read_settings
from graph.cli.stop_signals import StopSignals
from graph.cli.terminal import messages, output, print_json, remark, waiting
from graph.settings import Settings

if TYPE_CHECKING:
    from a2ap.messages.policy import Policy
    from graph.demo.result import DemoOptions, DemoResult
    from graph.platform import Platform

_QUESTION = "What did they say about zoning?"


def demo(
    source: Annotated[
        Path | None,
        typer.Option(
            "--source", help="Captions (.vtt, .srt) or text; without it, a council meeting that comes with a2ap."
        ),
    ] = None,
    media: Annotated[
        str | None, typer.Option("--media", help="The address of the recording, such as https://youtu.be/ID.")
    ] = None,
    question: Annotated[
        str, typer.Option("--ask", help="The question to ask after the claims are submitted.")
    ] = _QUESTION,
    as_json: Annotated[bool, typer.Option("--json", help="Print the answer as one JSON object.")] = False,
    serve: Annotated[bool, typer.Option("--serve/--no-serve", help="Stay up until Ctrl-C, or stop at once.")] = True,
    open_home: Annotated[
        bool, typer.Option("--open", help="Open the home page with this data in the browser.")
    ] = False,
    data: Annotated[
        Path | None,
        typer.Option("--data", help="The data folder; without it, `demo` in that of the platform.", file_okay=False),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option("--port", min=0, max=65535, help="The port; without it, A2AP_PORT or any free one."),
    ] = None,
) -> None:
    """Run the demonstration on captions.

    Agents read them, make claims, verify each other's, and a question is answered from the result. The author and two
    verifiers are ordinary clients of the server that this command starts. Run again on the same folder it submits the
    same messages again, which changes nothing.
    """
    if open_home and not serve:
        raise CommandError("--open needs the server, which --no-serve stops")
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    signals = StopSignals()
    # The modules of the demonstration take a while to load, and no other command needs them.
    with waiting("Loading"):
        from graph.cli.server import until_stopped
        from graph.demo.result import DemoOptions
        from graph.demo.source import open_source
        from graph.models.chat_model import ChatModel

    found = read_settings(data)
    settings, _ = with_operator_token(found if data is not None else replace(found, data=found.data / "demo"))
    model = None
    if settings.llm_url is not None:
        if settings.llm_model is None:
            raise CommandError("A2AP_LLM_URL is set, and A2AP_LLM_MODEL does not say which model to use")
        model = ChatModel(settings.llm_url, settings.llm_model, settings.llm_key)
    options = DemoOptions(settings.data, source, media, question, model)
    open_source(source, media)  # so that a file that cannot be read is found out before anything is started
    shown: list[DemoResult] = []

    def show(result: "DemoResult", address: str) -> None:
        shown.append(result)
        if as_json:
            print_json(result.as_json())
        else:
            _print_result(result, options, address)

    opened = _bind(settings, port)
    if asyncio.run(until_stopped(_run(settings, options, opened, show, stay=serve, open_home=open_home), signals)):
        remark("stopped")
        if not shown:
            raise typer.Exit(130)


async def _run(
    settings: Settings,
    options: "DemoOptions",
    opened: socket.socket,
    show: Callable[["DemoResult", str], None],
    *,
    stay: bool,
    open_home: bool,
) -> None:
    from graph.app import create_app
    from graph.cli.server import listening
    from graph.demo.run import run_demo
    from graph.platform import open_platform, utc_now

    async with AsyncExitStack() as stack:
        starting = "Starting the graph database"
        if not messages().is_terminal:
            remark(starting)
        with waiting(starting):
            platform = await stack.enter_async_context(open_platform(settings))
        app = create_app(platform, settings)
        address = await stack.enter_async_context(listening(app, opened, platform.subscribers.ended.set, settings))
        result = await run_demo(
            options,
            address,
            platform.node,
            clock=utc_now,
            console=messages(),
            policy=await _policy_in_force(platform),
        )
        show(result, address)
        if stay:
            remark(f"Home page with this data: {address}/")
            remark(f"GraphQL playground with this data: {address}/graphql")
            remark("Ctrl-C stops it")
            if open_home:
                open_home_page(address)
            await asyncio.Event().wait()


async def _policy_in_force(platform: "Platform") -> "Policy | None":
    from a2ap.messages.message import read_message
    from a2ap.messages.policy import Policy

    rows = await platform.store.read("current_policy")
    entries = await platform.store.read("log_entries_by_hash", hashes=[row["signed_hash"] for row in rows])
    messages_read = [read_message(await platform.content.get(entry["document_hash"])) for entry in entries]
    return next((message for message in messages_read if isinstance(message, Policy)), None)


def _bind(settings: Settings, port: int | None) -> socket.socket:
    from graph.cli.server import bind

    if port is not None:
        return bind(settings.host, port)
    try:
        return bind(settings.host, settings.port)
    except CommandError:
        # A platform may be running here already; the demonstration is one of its own.
        return bind(settings.host, 0)


def _print_result(result: "DemoResult", options: "DemoOptions", address: str) -> None:
    from graph.demo.answer_text import print_answers
    from graph.scoring.standing import HOLDS, MEANINGS, SAID

    print_answers(output(), result.question, result.answers, media=options.media, speaker_of=result.speaker_of)
    counted = result.traceability
    output().print(
        f"{counted.claims} claims from {result.source.file_name}: {counted.with_evidence} with evidence, "
        f"{counted.bytes_match} whose quotes are the cited bytes exactly."
    )
    output().print(f"{result.reported} {SAID}: {MEANINGS[SAID]}.", soft_wrap=True)
    held = result.verified - result.reported
    hold = (
        f"{held} {HOLDS if held == 1 else 'hold'}: {MEANINGS[HOLDS]}." if held else "No claim is established as a fact."
    )
    output().print(hold, soft_wrap=True)
    output().print(f"The meeting as a podcast: {result.podcast}", soft_wrap=True)
