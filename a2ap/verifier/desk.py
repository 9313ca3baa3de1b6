"""A verifier's desk: the verdicts held for approval, the signed answers, and the record of their delivery.

Rules:

- Each request gets one answer: a verdict or a decline. It is signed once, and on disk before it is sent.
- A signed answer that has not arrived is sent again when the verifier restarts: the platform returns the first receipt.
- If runs are kept as Context Packs, the pack of a run is submitted before the verdict that names it.
- A verdict that waits for approval is not signed: it is a file in `review` until it is approved or rejected.
- One process at a time works at a desk, and reads the answers of earlier ones once it has the lock.
"""

import json
import os
import re
from collections.abc import Callable, Iterator
from datetime import datetime
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from a2ap.agent.outbox import Outbox
from a2ap.client import Client, ProblemError, Receipt
from a2ap.client.answers import passes
from a2ap.durable_files import private_folder
from a2ap.file_lock import FileLock
from a2ap.messages.reference import Reference
from a2ap.messages.verification_decline import build_verification_decline
from a2ap.messages.verification_response import build_verification_response
from a2ap.verifier.errors import VerifierError
from a2ap.verifier.packs import Packs
from a2ap.verifier.records import Records, RunRecord

Sign = Callable[[dict[str, Any]], dict[str, Any]]


class Desk:
    """The desk of one agent, in one folder. `sign` signs a message as that agent; without `packs` no pack is kept."""

    def __init__(
        self, folder: Path, agent_id: str, sign: Sign, clock: Callable[[], datetime], packs: Packs | None = None
    ) -> None:
        private_folder(folder)
        self.folder = folder
        self.agent_id = agent_id
        self.records = Records(folder / "records")
        self.held = Records(folder / "review")
        self.packs = packs
        self._sign = sign
        self._clock = clock

    def lock(self) -> FileLock:
        """Take the desk for this process. Raises VerifierError if another process works at it."""
        lock = FileLock(self.folder / "lock")
        if not lock.take():
            lock.close()
            raise VerifierError(f"another process works as {self.agent_id} in {self.folder}")
        # The process that held the lock may have signed answers since these files were read.
        for name in ("_outbox", "_arrived"):
            self.__dict__.pop(name, None)
        return lock

    def is_answered(self, request_hash: str) -> bool:
        """Return whether a request has a signed answer, or a verdict that waits for approval."""
        if self._outbox.find(_purpose(request_hash)) is not None:
            return True
        return any(record.request_hash == request_hash for record in self.held.all())

    def sign_verdict(self, record: RunRecord) -> dict[str, Any]:
        """Return the signed verdict of a run, or the first answer to the request if there is one already."""
        return self._outbox.once(_purpose(record.request_hash), lambda: self._sign(self._response(record)))

    def sign_decline(
        self, request_id: str, request_hash: str, statement_id: str, target_hash: str, decline_id: str, reason: str
    ) -> dict[str, Any]:
        """Return the signed decline of a request, or the first answer to it if there is one already."""
        return self._outbox.once(
            _purpose(request_hash),
            lambda: self._sign(
                build_verification_decline(
                    decline_id=decline_id,
                    declined_at=self._clock(),
                    declining_agent=self.agent_id,
                    request=request_id,
                    request_hash=request_hash,
                    target_statement=statement_id,
                    target_hash=target_hash,
                    reason=reason,
                )
            ),
        )

    def send(self, message: dict[str, Any], client: Client) -> Receipt | ProblemError:
        """Send an answer and record that it arrived, or that it was refused for good.

        Raises UnreachableError, and ProblemError if the platform may accept it later.
        """
        try:
            if "declinedAt" not in message:
                self._hand_in_pack(message["@id"], client)
            receipt = client.decline(message) if "declinedAt" in message else client.respond(message)
        except ProblemError as error:
            if passes(error):
                raise
            self._arrived.note(message["@id"], str(error))
            return error
        self._arrived.note(message["@id"], None)
        return receipt

    def answers(self) -> list[dict[str, Any]]:
        """Return all signed answers, oldest first."""
        return self._outbox.messages()

    def unsent(self) -> Iterator[dict[str, Any]]:
        """Yield the signed answers that have not arrived, oldest first."""
        yield from (message for message in self.answers() if message["@id"] not in self._arrived)

    # To read these files is to mend a line that was cut while it was written; so the lock is taken first.

    @cached_property
    def _outbox(self) -> Outbox:
        return Outbox(self.folder / "signed.ndjson")

    @cached_property
    def _arrived(self) -> "_Arrived":
        return _Arrived(self.folder / "arrived.ndjson")

    def _hand_in_pack(self, response_id: str, client: Client) -> None:
        if self.packs is None:
            return
        try:
            record = self.records.find(response_id)
        except VerifierError:
            return  # the record was removed
        self.packs.hand_in(record, client)

    def _response(self, record: RunRecord) -> dict[str, Any]:
        return build_verification_response(
            response_id=record.response_id,
            responded_at=self._clock(),
            responding_agent=self.agent_id,
            target_statement=record.statement_id,
            target_hash=record.statement_hash,
            verdict=record.verdict,
            confidence=record.confidence,
            findings=record.findings,
            reason=record.reason,
            request=Reference(record.request_id, record.request_hash),
            generated_by=() if record.pack is None else (record.pack,),
        )


class _Arrived:
    """The ids of the answers that arrived, with the reason if they were refused; one per line."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._ids = {entry["id"] for entry in _entries(path)}

    def __contains__(self, message_id: str) -> bool:
        return message_id in self._ids

    def note(self, message_id: str, refusal: str | None) -> None:
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"id": message_id, "refused": refusal}, ensure_ascii=False) + "\n")
            file.flush()
            os.fsync(file.fileno())
        self._ids.add(message_id)


def _entries(path: Path) -> Iterator[dict[str, Any]]:
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    if text and not text.endswith("\n"):
        with path.open("a", encoding="utf-8") as file:
            file.write("\n")
    for line in text.split("\n"):
        try:
            yield json.loads(line)
        except ValueError:  # The end of a run that was killed while writing: it is sent once more.
            continue


def slug_of(text: str) -> str:
    """Return a text as a name for a folder; several texts may have the same."""
    return re.sub(r"[^\w.-]+", "-", text).strip("-.")


def folder_of_node(node: str) -> str:
    """Return the name of a node's folder: its host, port and path, and digits that differ for each address."""
    parts = urlsplit(node.rstrip("/"))
    place = f"{parts.netloc.rpartition('@')[2]}{parts.path}"
    return f"{slug_of(place)}-{sha256(f'{parts.scheme}://{place}'.encode()).hexdigest()[:8]}"


def _purpose(request_hash: str) -> str:
    return f"answer to {request_hash}"
