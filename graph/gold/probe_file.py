"""The operator's file of probes: the commitments and their salts, until they are revealed.

Rules:

1. It is readable by its owner alone, written whole and durably, and one command at a time works with it.
2. The salts of a commitment are in it before the commitment is sent, and the commitment is *pending* until the platform
   has answered: a commitment whose salts are lost can never be revealed, and one that is sent again is the same bytes.
3. A pending probe is neither queued nor revealed. Only a refusal takes it out again.
"""

import base64
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from a2ap.durable_files import is_private, write_private
from a2ap.errors import A2APError
from a2ap.file_lock import FileLock
from a2ap.messages.gold_label import Label
from a2ap.messages.message import read_message
from graph.errors import InputError


@dataclass(frozen=True, slots=True)
class KeptProbe:
    """A signed statement, its label under a criterion, and its progress.

    `salt` is base64, `commitment` the signed hash of the a2ap:Probe.
    """

    document: str
    criterion: str
    label: Label
    salt: str
    commitment: str
    queued: bool = False
    revealed: bool = False

    @property
    def received(self) -> bytes:
        """The statement, byte for byte."""
        return base64.b64decode(self.document)

    @property
    def is_asked(self) -> bool:
        """Whether verifiers were asked about it, and do not know the answer yet."""
        return self.queued and not self.revealed


@dataclass(frozen=True, slots=True)
class ProbeFile:
    """The content of the file: the probes, and in base64 the signed commitments that are pending."""

    probes: tuple[KeptProbe, ...] = ()
    pending: tuple[str, ...] = ()

    @property
    def pending_messages(self) -> tuple[bytes, ...]:
        """The commitments that are pending, oldest first, as they were signed."""
        return tuple(base64.b64decode(document) for document in self.pending)

    def is_pending(self, probe: KeptProbe) -> bool:
        """Return whether the platform has not answered the commitment of a probe yet."""
        return probe.commitment in map(_name, self.pending_messages)

    def with_commitment(self, message: bytes, probes: Sequence[KeptProbe]) -> "ProbeFile":
        """Return the file with a commitment that is about to be sent, and its probes."""
        return ProbeFile((*self.probes, *probes), (*self.pending, base64.b64encode(message).decode("ascii")))

    def accepted(self, message: bytes) -> "ProbeFile":
        """Return the file after the platform has accepted a commitment."""
        return replace(self, pending=tuple(one for one in self.pending if base64.b64decode(one) != message))

    def refused(self, message: bytes) -> "ProbeFile":
        """Return the file without a commitment that the platform refused, and without its probes."""
        probes = tuple(probe for probe in self.probes if probe.commitment != _name(message))
        return replace(self.accepted(message), probes=probes)

    def with_probe(self, place: int, probe: KeptProbe) -> "ProbeFile":
        """Return the file with a new state of one of its probes."""
        return replace(self, probes=(*self.probes[:place], probe, *self.probes[place + 1 :]))


@contextmanager
def working_with(path: Path) -> Iterator[None]:
    """Lock a file of probes against other commands. Raises `InputError` if another command works with it."""
    lock = FileLock(path.with_name(f".{path.name}.lock"))
    try:
        if not lock.take():
            raise InputError(f"another command works with {path}")
        yield
    finally:
        lock.close()


def read_probes(path: Path) -> ProbeFile:
    """Return the content of a file of probes. Raises `InputError` if there is none, or others could read it."""
    if not path.exists():
        raise InputError(f"there is no file of probes {path}")
    if not is_private(path):
        raise InputError(f"others can read {path}, and with it the answers; chmod 600 it")
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        probes = tuple(KeptProbe(**{**one, "label": Label(one["label"])}) for one in found["probes"])
        kept = ProbeFile(probes, tuple(found.get("pending", ())))
        for document in (*(probe.received for probe in kept.probes), *kept.pending_messages):
            read_message(document)
    except (A2APError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{path} is no file of probes: {error}") from error
    return kept


def write_probes(path: Path, kept: ProbeFile) -> None:
    """Write the file of probes durably, in place of the one before."""
    members = {"probes": [asdict(probe) for probe in kept.probes], "pending": list(kept.pending)}
    write_private(path, json.dumps(members, indent=1) + "\n")


def _name(message: bytes) -> str:
    """Return the signed hash of a commitment."""
    return read_message(message).envelope.signed_hash
