"""`a2ap passport`: records of the acts and hand-overs of agents, on files: made, verified, shown and replayed."""

from typing import Annotated

import typer

from a2ap.passport.building import (
    DEFAULT_BRANCH,
    Event,
    build_commit,
    build_fork,
    build_root,
)
from a2ap.passport.event_type import EventType
from a2ap.passport.profile import PayloadProfile
from graph.cli.errors import CommandError
from graph.cli.groups import command_group
from graph.cli.options import SignerCommand
from graph.cli.passport_file import (
    announce,
    find_passport,
    fresh_passport_id,
    open_chain,
    open_maker,
    read_payload,
    write_chain,
)
from graph.cli.passport_options import (
    Agent,
    File,
    Input,
    Model,
    Name,
    Output,
    Parent,
    Payload,
    Profile,
    Provider,
    Role,
    SigningKey,
    To,
)
from graph.cli.passport_platform import fetch, submit
from graph.cli.passport_reading import replay, show, verify
from graph.cli.signing import now

app = command_group("Read, verify and submit Context Passports.")


@app.command("init")
def init(
    file: File,
    agent: Agent = None,
    name: Name = None,
    role: Role = None,
    provider: Provider = None,
    model: Model = None,
    payload: Payload = None,
    input_text: Input = None,
    output_text: Output = None,
    to: To = None,
    branch: Annotated[str, typer.Option("--branch", help="The name of its branch.")] = DEFAULT_BRANCH,
    trace: Annotated[str | None, typer.Option("--trace", help="The id of the run, trc_ and more.")] = None,
    profile: Profile = PayloadProfile.V2,
    key: SigningKey = None,
    signer: SignerCommand = None,
) -> None:
    """Begin a chain: write its first record to a new file."""
    maker = open_maker(agent, name, role, provider, model, key, signer)
    content = read_payload(payload, input_text, output_text)
    members = build_root(
        fresh_passport_id(),
        now(),
        maker.author,
        content,
        branch=branch,
        trace_id=trace,
        event=Event(to_agent_id=to),
        profile=profile,
    )
    data = maker.finish(members, profile)
    try:
        with file.open("xb") as new:
            new.write(data)
    except FileExistsError as error:
        raise CommandError(f"{file} is there already; `a2ap passport commit` adds to it") from error
    announce(members)


@app.command("commit")
def commit(
    file: File,
    agent: Agent = None,
    name: Name = None,
    role: Role = None,
    provider: Provider = None,
    model: Model = None,
    payload: Payload = None,
    input_text: Input = None,
    output_text: Output = None,
    to: To = None,
    parent: Parent = None,
    event: Annotated[
        str | None, typer.Option("--type", help="The type of the event; commit, or merge with --merge, without it.")
    ] = None,
    target: Annotated[
        str | None,
        typer.Option("--target", help="The record that a revert goes back to, or whose payload a redact hides."),
    ] = None,
    merge: Annotated[list[str] | None, typer.Option("--merge", help="A further parent, by its id; repeatable.")] = None,
    branch: Annotated[str | None, typer.Option("--branch", help="Another branch than that of its parent.")] = None,
    profile: Profile = PayloadProfile.V2,
    key: SigningKey = None,
    signer: SignerCommand = None,
) -> None:
    """Add a record to a chain.

    Everything in the file stays as it is. A broken chain is not continued.
    """
    maker = open_maker(agent, name, role, provider, model, key, signer)
    content = read_payload(payload, input_text, output_text)
    held = open_chain(file, parent)
    merged = [find_passport(held.chain, wanted) for wanted in merge or ()]
    kind = event or (EventType.MERGE if merged else EventType.COMMIT)
    if kind == EventType.FORK:
        raise CommandError("`a2ap passport fork` begins a branch")
    if target is not None:
        find_passport(held.chain, target)
    members = build_commit(
        fresh_passport_id(),
        now(),
        maker.author,
        content,
        held.parent,
        event=Event(kind, to, target),
        merged=merged,
        branch=branch,
        profile=profile,
        status=held.status,
    )
    write_chain(file, held.chain, maker.finish(members, profile))
    announce(members)


@app.command("fork")
def fork(
    file: File,
    branch: Annotated[str, typer.Option("--branch", help="The name of the new branch.", show_default=False)],
    agent: Agent = None,
    name: Name = None,
    role: Role = None,
    provider: Provider = None,
    model: Model = None,
    payload: Payload = None,
    input_text: Input = None,
    output_text: Output = None,
    parent: Parent = None,
    profile: Profile = PayloadProfile.V2,
    key: SigningKey = None,
    signer: SignerCommand = None,
) -> None:
    """Begin another branch, from any record of a chain."""
    maker = open_maker(agent, name, role, provider, model, key, signer)
    content = read_payload(payload, input_text, output_text)
    held = open_chain(file, parent)
    members = build_fork(
        fresh_passport_id(),
        now(),
        maker.author,
        content,
        held.parent,
        held.chain,
        branch,
        profile=profile,
        status=held.status,
    )
    write_chain(file, held.chain, maker.finish(members, profile))
    announce(members)


app.command("verify")(verify)
app.command("show")(show)
app.command("replay")(replay)
app.command("submit")(submit)
app.command("fetch")(fetch)
