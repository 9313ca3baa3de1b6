"""Keeps signed messages in a file, so that the same purpose gets the same signed bytes again.

This makes it harmless to run an agent twice: the platform answers a repeated document with the first receipt. A message
whose receipt has not arrived is pending: an agent that was stopped in between sends it again.
"""

import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Lock
from typing import Any

Message = dict[str, Any]


class Outbox:
    """Signed messages by purpose, one per line in an append-only file. Threads may share it.

    Without a path the messages are kept in memory alone.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._signed, self._received = ({}, set()) if path is None else _read(path)
        self._ids = {message["@id"] for message in self._signed.values()}
        self._lock = Lock()

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
                self._signed.update(kept)
                self._ids.update(message["@id"] for message in kept.values())
            return [self._signed[purpose] for purpose, _ in purposes]

    def note_receipt(self, purpose: str) -> None:
        """Record that the receipt for a message has arrived."""
        with self._lock:
            if purpose not in self._received:
                self._append([{"purpose": purpose, "received": True}])
                self._received.add(purpose)

    def pending(self) -> list[tuple[str, Message]]:
        """Return the purposes and messages whose receipts have not arrived, oldest first."""
        return [(purpose, message) for purpose, message in self._signed.items() if purpose not in self._received]

    def find(self, purpose: str) -> Message | None:
        """Return the message signed for a purpose, None if there is none."""
        return self._signed.get(purpose)

    def messages(self) -> list[Message]:
        """Return all signed messages, oldest first."""
        return list(self._signed.values())

    def has_id(self, message_id: str) -> bool:
        """Return whether a message with this id has been signed."""
        return message_id in self._ids

    def _append(self, entries: Sequence[dict[str, Any]]) -> None:
        if self._path is None:
            return
        with self._path.open("a", encoding="utf-8") as file:
            file.writelines(json.dumps(entry, ensure_ascii=False) + "\n" for entry in entries)
            file.flush()
            os.fsync(file.fileno())


def _read(path: Path) -> tuple[dict[str, Message], set[str]]:
    if not path.exists():
        return {}, set()
    signed: dict[str, Message] = {}
    received: set[str] = set()
    text = path.read_text(encoding="utf-8")
    for line in text.split("\n"):
        try:
            entry = json.loads(line)
        except ValueError:  # The end of a run that was killed while writing: the message was not sent.
            continue
        if "message" in entry:
            signed[entry["purpose"]] = entry["message"]
        else:
            received.add(entry["purpose"])
    if text and not text.endswith("\n"):
        with path.open("a", encoding="utf-8") as file:
            file.write("\n")
    return signed, received
