"""Keeps signed messages in a file, so that the same purpose gets the same signed bytes again.

This makes it harmless to run an agent twice: a node answers a repeated document with the first receipt. A message that
was sent to a node and has no receipt of it is pending there: an agent that was stopped in between sends it again. One
process at a time uses a file.
"""

import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Lock
from typing import Any

Message = dict[str, Any]


class Outbox:
    """Signed messages by purpose, one per line in an append-only file that its owner alone can read.

    Threads may share it. Without a path the messages are kept in memory alone.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._signed: dict[str, Message] = {}
        self._sent: dict[tuple[str, str], bool] = {}
        self._lock = Lock()
        for entry in [] if path is None else _read(path):
            self._take(entry)
        self._ids = {message["@id"] for message in self._signed.values()}

    def once(self, purpose: str, sign: Callable[[], Message]) -> Message:
        """Return the message signed for this purpose; a new message is on disk before it is returned."""
        return self.each_once([(purpose, sign)])[0]

    def each_once(self, purposes: Sequence[tuple[str, Callable[[], Message]]]) -> list[Message]:
        """Return the messages signed for these purposes, in order; new ones are on disk before they are returned."""
        new = {purpose: sign() for purpose, sign in purposes if purpose not in self._signed}
        with self._lock:
            kept = {purpose: message for purpose, message in new.items() if purpose not in self._signed}
            if kept:
                self._append([{"purpose": purpose, "message": message} for purpose, message in kept.items()])
                self._ids.update(message["@id"] for message in kept.values())
            return [self._signed[purpose] for purpose, _ in purposes]

    def note_sent(self, purpose: str, node: str) -> None:
        """Record, before it is sent, that a message goes to a node."""
        with self._lock:
            if (purpose, node) not in self._sent:
                self._append([{"purpose": purpose, "sent": node}])

    def note_answered(self, purpose: str, node: str) -> None:
        """Record that a node has answered a message for good: with a receipt, or by refusing it."""
        with self._lock:
            if not self._sent.get((purpose, node)):
                self._append([{"purpose": purpose, "answered": node}])

    def pending(self, node: str) -> list[tuple[str, Message]]:
        """Return the purposes and messages that were sent to a node and have no answer, oldest first."""
        with self._lock:
            return [
                (purpose, self._signed[purpose])
                for (purpose, sent_to), is_answered in self._sent.items()
                if sent_to == node and not is_answered and purpose in self._signed
            ]

    def find(self, purpose: str) -> Message | None:
        """Return the message signed for a purpose, None if there is none."""
        return self._signed.get(purpose)

    def purposes(self, beginning: str) -> list[str]:
        """Return the purposes with this beginning, in the order in which they were signed."""
        with self._lock:
            return [purpose for purpose in self._signed if purpose.startswith(beginning)]

    def messages(self) -> list[Message]:
        """Return all signed messages, oldest first."""
        with self._lock:
            return list(self._signed.values())

    def has_id(self, message_id: str) -> bool:
        """Return whether a message with this id has been signed."""
        return message_id in self._ids

    def _take(self, entry: dict[str, Any]) -> None:
        purpose = entry["purpose"]
        if "message" in entry:
            self._signed[purpose] = entry["message"]
        elif "sent" in entry:
            self._sent.setdefault((purpose, entry["sent"]), False)
        elif "answered" in entry:
            self._sent[purpose, entry["answered"]] = True

    def _append(self, entries: Sequence[dict[str, Any]]) -> None:
        """Write entries to the disk, then take them; a failed write leaves the file as it was."""
        if self._path is not None:
            data = "".join(json.dumps(entry, ensure_ascii=False) + "\n" for entry in entries).encode()
            descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            with os.fdopen(descriptor, "ab", buffering=0) as file:
                end = file.tell()
                try:
                    _write_all(file.fileno(), data)
                    os.fsync(file.fileno())
                except OSError:
                    os.ftruncate(file.fileno(), end)
                    raise
        for entry in entries:
            self._take(entry)


def _write_all(descriptor: int, data: bytes) -> None:
    while data:
        data = data[os.write(descriptor, data) :]


def _read(path: Path) -> list[dict[str, Any]]:
    if not path.exists():
        return []
    entries = []
    data = path.read_bytes()
    for line in data.split(b"\n"):
        try:
            entry = json.loads(line)
        except ValueError:  # The end of a run that was killed while writing: the message was not sent.
            continue
        if isinstance(entry, dict) and isinstance(entry.get("purpose"), str):
            entries.append(entry)
    if data and not data.endswith(b"\n"):
        with path.open("ab") as file:
            file.write(b"\n")
    return entries
