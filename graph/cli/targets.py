"""Targets: the messages that a message is about, each by its id and the hash of its bytes.

The hash is computed from the bytes that the platform sends, or given after a `=`; a hash that the platform states is
never used.
"""

from collections.abc import Callable
from typing import Annotated, TypedDict

import typer

from a2ap.client import Client
from a2ap.messages.message import read_message
from a2ap.messages.reference import Reference
from graph.cli.errors import CommandError

Statement = Annotated[str, typer.Argument(help="The id of the statement, urn:uuid:…")]
TargetHash = Annotated[
    str | None,
    typer.Option(
        "--target-hash", help="The statement's signed hash, instead of asking the platform for the statement."
    ),
]


GeneratedBy = Annotated[
    list[str] | None,
    typer.Option(
        "--generated-by", help="A pack or passport that it came out of, by the hash of its bytes, sha256:…; repeatable."
    ),
]


class Target(TypedDict):
    """The two members by which a message names the statement that it is about."""

    target_statement: str
    target_hash: str


def target_of(client: Client, statement: str, target_hash: str | None) -> Target:
    """Return the members that name a statement: its id, and its signed hash as given or from its bytes."""
    signed_hash = target_hash or _hash_of(client, client.statement, statement)
    return Target(target_statement=statement, target_hash=signed_hash)


def statement_reference(client: Client, text: str) -> Reference:
    """Return a reference to a statement from `ID` or `ID=HASH`."""
    return _reference(client, client.statement, text)


def statement_references(client: Client, texts: list[str] | None) -> list[Reference]:
    """Return references to statements."""
    return [statement_reference(client, text) for text in texts or ()]


def verdict_reference(client: Client, text: str) -> Reference:
    """Return a reference to a verdict from `ID` or `ID=HASH`."""
    return _reference(client, client.verification, text)


def given_reference(name: str | None, target_hash: str | None, options: str) -> Reference | None:
    """Return a reference whose two parts are options of their own, None if neither is given."""
    if name is None and target_hash is None:
        return None
    if name is None or target_hash is None:
        raise CommandError(f"{options} belong together")
    return Reference(name, target_hash)


def _reference(client: Client, fetch: Callable[[str], bytes], text: str) -> Reference:
    name, _, stated = text.partition("=")
    return Reference(name, stated or _hash_of(client, fetch, name))


def _hash_of(client: Client, fetch: Callable[[str], bytes], name: str) -> str:
    envelope = read_message(fetch(name)).envelope
    if envelope.id != name:
        raise CommandError(f"{client.base_url} answered with {envelope.id} instead of {name}")
    return envelope.signed_hash
