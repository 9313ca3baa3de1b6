"""Options that several commands have, each defined once."""

import os
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from a2ap.client import Client
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
    typer.Option("--key", envvar="A2AP_KEY", help="Your key file, as `a2ap keygen` writes it.", show_default=False),
]
Print = Annotated[bool, typer.Option("--print", help="Print the signed document on one line instead of sending it.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Data = Annotated[
    Path | None,
    typer.Option("--data", help="The data folder, instead of A2AP_DATA.", file_okay=False, show_default=False),
]


def read_settings(data: Path | None = None) -> Settings:
    """Return the settings of the environment, with another data folder where one is named. Raises SettingsError."""
    environment = dict(os.environ) if data is None else {**os.environ, "A2AP_DATA": str(data)}
    settings = Settings.from_environment(environment)
    return replace(settings, data=settings.data.absolute())


def open_client(url: str, token: str | None = None) -> Client:
    """Return a client of the platform at an address."""
    return Client(url, token)
