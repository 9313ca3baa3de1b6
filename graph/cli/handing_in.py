"""Submission of the messages of commands: each is signed, then printed or sent."""

from collections.abc import Callable, Mapping
from typing import Any

from a2ap.client import Client, Receipt
from graph.cli.options import open_client
from graph.cli.signing import AgentKey, print_receipt, sign
from graph.cli.terminal import print_document

Signed = dict[str, Any]


def hand_in(
    message: Mapping[str, Any],
    key_file: AgentKey,
    submit: Callable[[Signed], Receipt],
    *,
    print_only: bool,
    as_json: bool,
    proof: bool = False,
) -> None:
    """Sign a message, and print it, or submit it and print its place in the log."""
    signed = sign(message, key_file, proof=proof)
    if print_only:
        print_document(signed)
    else:
        print_receipt(submit(signed), as_json)


def send(
    message: Mapping[str, Any],
    key_file: AgentKey,
    method: Callable[[Client, Signed], Receipt],
    url: str,
    *,
    print_only: bool,
    as_json: bool,
) -> None:
    """Do the same with a method of a client that is opened for it; a message that is only printed needs no platform."""

    def submit(signed: Signed) -> Receipt:
        with open_client(url) as client:
            return method(client, signed)

    hand_in(message, key_file, submit, print_only=print_only, as_json=as_json)
