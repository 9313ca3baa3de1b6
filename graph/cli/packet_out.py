"""Records about packets that commands make: signed, written to files, and submitted on request."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Annotated

import typer

from a2ap.boundary import Boundary
from a2ap.client import Client
from a2ap.log.checkpoint import read_checkpoint
from a2ap.log.signed_note import read_note
from a2ap.packet.canon import packet_hash
from a2ap.packet.document import PacketDocument
from a2ap.packet.records import PacketRecord, read_record, verify_record, write_record
from graph.cli.errors import CommandError
from graph.cli.options import open_client
from graph.cli.signing import AgentKey
from graph.cli.terminal import say
from graph.packets.states import state_reference

PATH = "/packet-records"
# In this order: a disposition names a return as well.
_IDS = ("disposition_id", "receipt_id", "return_id")
_CHECKPOINT = "{ log { checkpoint } }"

Folder = Annotated[
    Path | None,
    typer.Option("--to", help="A folder for the records; here without it.", file_okay=False, show_default=False),
]
Submit = Annotated[bool, typer.Option("--submit", help="Hand the records in to the platform as well.")]
RecordBoundary = Annotated[
    Boundary, typer.Option("--boundary", help="The class of the records on the platform.", show_default=True)
]


@dataclass(frozen=True, slots=True)
class Desk:
    """The destination of records: a folder, and a platform if they are submitted."""

    key: AgentKey
    folder: Path
    url: str
    token: str | None
    submit: bool
    boundary: Boundary

    def put(self, records: Sequence[PacketRecord], *, quiet: bool = False) -> list[Path]:
        """Sign the records, write each to a new file, and submit them. Raises CommandError, ProblemError."""
        self.folder.mkdir(parents=True, exist_ok=True)
        written = [self._write(record) for record in records]
        for path in () if quiet else written:
            say(f"wrote       {path}")
        if self.submit:
            with open_client(self.url, self.token) as client:
                for path in written:
                    client.register_records(PATH, path.read_bytes(), boundary=self.boundary.value)
        return written

    def _write(self, record: PacketRecord) -> Path:
        content = write_record(record, key=self.key.key, key_id=self.key.key_id)
        verify_record(read_record(content), self.key.key.public_key)
        path = self.folder / f"{_name(record)}.json"
        try:
            with path.open("xb") as new:
                new.write(content + b"\n")
        except FileExistsError as error:
            raise CommandError(f"{path} is there already") from error
        return path


def hash_of(document: PacketDocument) -> str:
    """Return the hash that records echo: the hash that the packet states, else its own."""
    return document.packet_hash or packet_hash(document.members)


def short_id(prefix: str, *parts: str) -> str:
    """Return an id of a record that is derived from the parts alone."""
    return f"{prefix}_{sha256(chr(0).join(parts).encode()).hexdigest()[:24]}"


def state_of(client: Client) -> str:
    """Return the state of a platform's log, in the form in which packets refer to it."""
    note = client.graphql(_CHECKPOINT)["log"]["checkpoint"]
    return state_reference(read_checkpoint(read_note(note).text))


def _name(record: PacketRecord) -> str:
    """Return the id that a record gives itself, as the name of a file."""
    own = next(getattr(record, name) for name in _IDS if hasattr(record, name))
    safe = "".join(mark if mark.isalnum() or mark in "_-." else "_" for mark in own)[:100].strip(".")
    if not safe:
        raise CommandError("the record has no id that can name a file")
    return safe
