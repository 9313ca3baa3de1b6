"""`a2ap passport submit` and `fetch`: passports to and from a platform."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from a2ap.boundary import STRICTEST, Boundary
from a2ap.canonical import sha256_digest
from a2ap.client import Client, Receipt
from a2ap.client.possession import send_with_proof
from a2ap.messages.possession import possession_mac
from a2ap.messages.record_registration import RecordFormat, build_record_registration
from a2ap.passport.passport import Passport
from graph.cli.options import DEFAULT_URL, AsJson, SignerCommand, Token, Url, open_client
from graph.cli.passport_file import read_file
from graph.cli.signing import AgentKey, fresh_id, now, open_key, sign
from graph.cli.terminal import print_json, say

_PATH = "/passports"


def submit(
    file: Annotated[Path, typer.Argument(help="The file of the chain.", show_default=False)],
    boundary: Annotated[Boundary, typer.Option("--boundary", help="The class of the records.")] = STRICTEST,
    key: Annotated[
        Path | None,
        typer.Option(
            "--key", envvar="A2AP_KEY", help="A key file: you register the records, not the node.", show_default=False
        ),
    ] = None,
    signer: SignerCommand = None,
    url: Url = DEFAULT_URL,
    token: Token = None,
    as_json: AsJson = False,
) -> None:
    """Submit all records of a file, each byte for byte.

    Without a key the node registers them, which says only that it received them.
    """
    passports = read_file(file).passports
    with open_client(url, token) as client:
        if key is None:
            receipts = client.register_records(_PATH, file.read_bytes(), boundary=boundary)
        else:
            own = open_key(key, signer)
            receipts = [_register(client, passport, own, boundary) for passport in passports]
    _print(passports, receipts, as_json)


def fetch(
    record_hash: Annotated[str, typer.Argument(help="The hash of its bytes, sha256:…", show_default=False)],
    url: Url = DEFAULT_URL,
    token: Token = None,
) -> None:
    """Print a record as the platform received it, byte for byte."""
    with open_client(url, token) as client:
        sys.stdout.buffer.write(client.record(_PATH, record_hash))
    sys.stdout.buffer.flush()


def _register(client: Client, passport: Passport, key: AgentKey, boundary: Boundary) -> Receipt:
    def hand_in(mac: str | None) -> Receipt:
        registration = build_record_registration(
            registration_id=fresh_id(),
            registered_at=now(),
            registering_agent=key.agent_id,
            format=RecordFormat.PASSPORT,
            document_hash=sha256_digest(passport.data),
            boundary=boundary,
            possession_mac=mac,
        )
        (receipt,) = client.register_records(_PATH, passport.data, registration=sign(registration, key))
        return receipt

    return send_with_proof(hand_in, possession_mac(key.agent_id, passport.data))


def _print(passports: Sequence[Passport], receipts: Sequence[Receipt], as_json: bool) -> None:
    found = [(sha256_digest(one.data), one, receipt) for one, receipt in zip(passports, receipts, strict=True)]
    if as_json:
        members = [
            {"recordHash": name, "id": one.id, "logIndex": receipt.log_index, "created": receipt.created}
            for name, one, receipt in found
        ]
        print_json({"records": members})
        return
    for name, one, receipt in found:
        say(f"{one.label}  {name}  log entry {receipt.log_index}{'' if receipt.created else ', was there already'}")
