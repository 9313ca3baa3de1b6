"""The arguments and options that several commands of `a2ap passport` have."""

from pathlib import Path
from typing import Annotated

import typer

from a2ap.passport.profile import PayloadProfile

File = Annotated[Path, typer.Argument(help="The file of the chain.", show_default=False)]
Agent = Annotated[
    str | None, typer.Option("--agent", help="The id of the agent; without it, that of the key.", show_default=False)
]
Name = Annotated[str | None, typer.Option("--name", help="The name of the agent; without it, its id.")]
Role = Annotated[str | None, typer.Option("--role", help="Such as researcher, writer or reviewer.")]
Provider = Annotated[str | None, typer.Option("--provider", help="Of its model, such as anthropic or local.")]
Model = Annotated[str | None, typer.Option("--model", help="Its model.")]
Payload = Annotated[
    Path | None,
    typer.Option(
        "--payload", help="A JSON file with input, output, memory, variables; - reads standard input.", allow_dash=True
    ),
]
Input = Annotated[str | None, typer.Option("--input", help="The input of the agent, as text, instead of --payload.")]
Output = Annotated[str | None, typer.Option("--output", help="The output of the agent, as text.")]
To = Annotated[str | None, typer.Option("--to", help="The id of the agent that it is handed to.")]
Parent = Annotated[
    str | None, typer.Option("--parent", help="The record that it follows; without it, the only one at an end.")
]
Profile = Annotated[PayloadProfile, typer.Option("--profile", help="How the payload is hashed.")]
SigningKey = Annotated[
    Path | None,
    typer.Option("--key", envvar="A2AP_KEY", help="A key file: the record is signed.", show_default=False),
]
KnownKeys = Annotated[
    list[str] | None,
    typer.Option("--known-key", help="A key that you know, KEY-ID=PUBLIC-KEY; repeatable.", show_default=False),
]
