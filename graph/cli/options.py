"""Options that several commands have, each defined once."""

import os
from dataclasses import replace
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

import typer

from a2ap.boundary import Boundary
from a2ap.client import Client
from a2ap.log.signed_note import VerifierKey
from graph.cli.errors import CommandError
from graph.settings import Settings

DEFAULT_URL = "http://127.0.0.1:8000"

Url = Annotated[str, typer.Option("--url", envvar="A2AP_URL", help="Where the platform answers.", show_default=True)]
Token = Annotated[
    str | None,
    typer.Option(
        "--token", envvar="A2AP_TOKEN", help="Your token, where the platform gave you one.", show_default=False
    ),
]
Key = Annotated[
    Path,
    typer.Option("--key", envvar="A2AP_KEY", help="Your key file, made by `a2ap key generate`.", show_default=False),
]
SignerCommand = Annotated[
    str | None,
    typer.Option(
        "--signer",
        envvar="A2AP_SIGNER",
        help="A command that signs its standard input; the key file then needs no key.",
        show_default=False,
    ),
]
Print = Annotated[bool, typer.Option("--print", help="Print the signed document on one line instead of sending it.")]
Proof = Annotated[
    bool, typer.Option("--proof", help="Add a W3C Data Integrity proof, which credential libraries can check.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
LogKey = Annotated[
    str | None,
    typer.Option(
        "--log-key",
        help="The verifier key of the platform's log, as `a2ap log key` prints it: receipts are verified with it.",
        show_default=False,
    ),
]
Data = Annotated[
    Path | None,
    typer.Option("--data", help="The data folder, instead of A2AP_DATA.", file_okay=False, show_default=False),
]


def read_settings(data: Path | None = None) -> Settings:
    """Return the settings of the environment, with another data folder if one is named. Raises SettingsError."""
    environment = dict(os.environ) if data is None else {**os.environ, "A2AP_DATA": str(data)}
    settings = Settings.from_environment(environment)
    return replace(settings, data=settings.data.absolute())


def open_client(url: str, token: str | None = None, log_key: str | None = None) -> Client:
    """Return a client of the platform at an address, which verifies receipts if it is given the log's key.

    Raises CommandError for an invalid address, KeyFormatError for an invalid key.
    """
    return Client(check_url(url), token, log_key=VerifierKey.parse(log_key) if log_key is not None else None)


Clearance = Annotated[
    Boundary,
    typer.Option(
        "--clearance",
        help="The clearance of the reader: quotes of sources of a stricter class are left out. Not with --url.",
    ),
]


def check_clearance(clearance: Boundary, url: str | None) -> None:
    """Raise CommandError if a clearance is stated for a running platform."""
    if url is not None and clearance is not Boundary.PUBLIC:
        raise CommandError("with --url the token sets the clearance of the reader, not --clearance")


def check_url(url: str) -> str:
    """Return an address without slashes at its end. Raises CommandError if it is not an http or https address."""
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise CommandError(f"--url is {url!r}, not an http or https address")
    return url.rstrip("/")
