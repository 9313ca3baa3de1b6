"""The files kept of a peer outside the graph: the checked part of its log, and the progress through it.

`peers/<16 digits>/` in the data folder has the last checkpoint that was checked, the entries in bundles laid out as the
peer serves them, their leaf hashes one after the other, and `progress.json`. All of it can be fetched anew from the
peer, and is then checked anew; the graph's log states which messages were taken. Files are written in an order in which
no kept file refers to one that is not kept.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from a2ap.durable_files import flush_file, flush_folder, private_folder, write_file, write_private
from a2ap.file_lock import FileLock
from a2ap.log.entry import LogEntry, read_entry
from a2ap.log.log_proof import LogProof
from a2ap.log.merkle import HASH_BYTES, Frontier, hash_leaf, inclusion_proof, root_hash
from a2ap.log.tiles import TILE_WIDTH, entries_path, read_entry_bundle, write_entry_bundle
from graph.errors import NotFoundError
from graph.federation.errors import PeerError
from graph.log.imported import ABOUT_KEYS

MAX_WAITING = 5000
"""Maximum places of one peer's log that are requested again; further ones are left."""

MAX_LEFT = 1000
"""Maximum places left whose reasons are kept; older ones are only counted."""

_MAX_REASON = 300  # characters
_NAME_DIGITS = 16


@dataclass(slots=True)
class Progress:
    """The part of a peer's log that was checked (`size` leaves, by their `edge`) and processed (`position`).

    `taken` is the last place from which a message was taken. `waiting` are the places, with the reason, whose messages
    may be taken once another message is stored here; at log size `looked` none of them could be. `withheld` are the
    places that the peer has not given, and `left` the last of the `left_number` places that are not taken at all.
    `about_keys` names, for those of all these places whose entry is about keys, the agent of the keys; it is None if
    there were too many to keep. `day` and `spent` count the bytes that the peer gave on a day; `fault` says why it is
    no longer pulled. `successions` are the notes by which its log key was handed on, as far as a checkpoint needed
    them. `source_position` is the place in this node's log up to which the peer's sources were requested, and
    `source_after` the last hash requested beyond it; `source_retries` are the sources that are requested again, by
    hash, each with the number of `tries`, the time of the next (`after`) and the `reason`.
    """

    size: int = 0
    edge: list[str] = field(default_factory=list)
    position: int = 0
    taken: int = -1
    waiting: dict[str, str] = field(default_factory=dict)
    looked: int = -1
    withheld: dict[str, str] = field(default_factory=dict)
    left: dict[str, str] = field(default_factory=dict)
    left_number: int = 0
    about_keys: dict[str, str] | None = field(default_factory=dict)
    day: str = ""
    spent: int = 0
    fault: str | None = None
    successions: list[str] = field(default_factory=list)
    source_position: int = 0
    source_after: str = ""
    source_retries: dict[str, dict[str, Any]] = field(default_factory=dict)

    @property
    def frontier(self) -> Frontier:
        """Return the right edge of the checked part."""
        return Frontier(self.size, [bytes.fromhex(digits) for digits in self.edge])

    def begin(self, day: str) -> None:
        """Begin a pull on this day."""
        self.fault = None
        if self.day != day:
            self.day, self.spent = day, 0

    def go_back(self) -> None:
        """Go back to the beginning, to process all checked entries again."""
        self.position, self.taken, self.looked, self.left_number, self.about_keys = 0, -1, -1, 0, {}
        self.source_position, self.source_after = 0, ""
        self.source_retries.clear()
        for places in (self.waiting, self.withheld, self.left):
            places.clear()

    def settle(self, place: int) -> None:
        """Note that a place no longer waits."""
        for places in (self.waiting, self.withheld, self.about_keys or {}):
            places.pop(str(place), None)

    def wait(self, entry: LogEntry, reason: str) -> None:
        """Note that an entry lacks another message, so that it is tried again."""
        self._ask_again(self.waiting, entry, reason)

    def withhold(self, entry: LogEntry, reason: str) -> None:
        """Note that the peer does not give an entry's document, so that it is requested again."""
        self._ask_again(self.withheld, entry, reason)

    def leave(self, entry: LogEntry, reason: str) -> None:
        """Note that an entry is not taken."""
        self._miss(self.left, entry, reason)
        self.left_number += 1
        if len(self.left) > MAX_LEFT:
            del self.left[next(iter(self.left))]

    def has_missed_keys(self, agent_id: str, before: int) -> bool:
        """Return whether an entry about the keys of an agent, named as the peer does, was missed before a place."""
        if self.about_keys is None:
            return True
        return any(agent == agent_id and int(place) < before for place, agent in self.about_keys.items())

    def _ask_again(self, places: dict[str, str], entry: LogEntry, reason: str) -> None:
        if len(self.waiting) + len(self.withheld) < MAX_WAITING:
            self._miss(places, entry, reason)
        else:
            self.leave(entry, f"{MAX_WAITING} others wait already: {reason}")

    def _miss(self, places: dict[str, str], entry: LogEntry, reason: str) -> None:
        self.settle(entry.log_index)
        places[str(entry.log_index)] = reason[:_MAX_REASON]
        if entry.type in ABOUT_KEYS and self.about_keys is not None:
            self.about_keys[str(entry.log_index)] = entry.agent
            if len(self.about_keys) > MAX_WAITING:
                # Whose keys are as they were there cannot be known any more: nobody is called a liar for it.
                self.about_keys = None


def folder_of(data: Path, origin: str) -> Path:
    """Return the folder of the files kept of a peer."""
    return data / "peers" / origin[-_NAME_DIGITS:]


def read_progress(folder: Path) -> Progress:
    """Return the progress through a peer's log; raises `PeerError` if it cannot be read."""
    path = folder / "progress.json"
    if not path.exists():
        return Progress()
    try:
        members: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return Progress(**members)
    except (ValueError, TypeError) as error:
        raise PeerError(f"{path} cannot be read: {error}; without it the peer is gone through anew") from error


class PeerFolder:
    """The files kept of one peer. One process at a time holds them; `close` releases them."""

    def __init__(self, data: Path, origin: str) -> None:
        self._path = folder_of(data, origin)
        private_folder(self._path / "tile" / "entries")
        self._lock = FileLock(self._path / "lock")
        if not self._lock.take():
            self._lock.close()
            raise PeerError(f"{origin} is being pulled by another process")
        self.progress = read_progress(self._path)

    def __enter__(self) -> "PeerFolder":
        return self

    def __exit__(self, *exc_info: object) -> None:
        self._lock.close()

    @property
    def source_folder(self) -> Path:
        """Return the folder of the parts of sources that have arrived."""
        return self._path / "sources"

    @property
    def checkpoint(self) -> str | None:
        """Return the last checkpoint that was checked, as signed, None if there is none."""
        path = self._path / "checkpoint"
        return path.read_text(encoding="utf-8") if path.exists() else None

    def keep_checkpoint(self, note: str) -> None:
        """Keep a checkpoint that was checked against the one before."""
        write_private(self._path / "checkpoint", note)

    def keep_progress(self) -> None:
        """Keep the progress through the peer's log."""
        write_private(self._path / "progress.json", json.dumps(asdict(self.progress)))

    def keep_entries(self, entries: Sequence[bytes], frontier: Frontier) -> None:
        """Keep checked entries that follow those before; `frontier` is the right edge behind them."""
        start = self.progress.size
        whole = [*self.leaves(start - start % TILE_WIDTH, start), *entries]
        first = start // TILE_WIDTH
        for place in range(0, len(whole), TILE_WIDTH):
            bundle = whole[place : place + TILE_WIDTH]
            path = self._bundle(first + place // TILE_WIDTH)
            private_folder(path.parent)
            write_file(path, (write_entry_bundle(bundle),))
            flush_folder(path.parent)
        hashes = self._path / "leaves"
        with hashes.open("r+b" if hashes.exists() else "w+b") as file:
            file.truncate(start * HASH_BYTES)
            file.seek(start * HASH_BYTES)
            file.write(b"".join(map(hash_leaf, entries)))
        flush_file(hashes)
        self.progress.size, self.progress.edge = frontier.size, [one.hex() for one in frontier.hashes]
        self.keep_progress()

    def leaves(self, start: int, end: int) -> list[bytes]:
        """Return the entries from `start` to before `end`, as the bytes that were hashed."""
        found: list[bytes] = []
        for index in range(start // TILE_WIDTH, -(-end // TILE_WIDTH)):
            bundle = read_entry_bundle(self._bundle(index).read_bytes())
            found += bundle[max(start - index * TILE_WIDTH, 0) : end - index * TILE_WIDTH]
        return found

    def entries(self, start: int, end: int) -> list[LogEntry]:
        """Return the entries from `start` to before `end`."""
        return [read_entry(leaf, start + place) for place, leaf in enumerate(self.leaves(start, end))]

    def hash_at(self, level: int, index: int) -> bytes:
        """Return the hash of a full subtree, in the form that `a2ap.log.merkle` requires."""
        length = HASH_BYTES << level
        with (self._path / "leaves").open("rb") as file:
            file.seek(index * length)
            data = file.read(length)
        if len(data) != length or (index + 1) << level > self.progress.size:
            raise NotFoundError(f"subtree {level}/{index} is beyond the entries kept of this peer")
        return root_hash([data[place : place + HASH_BYTES] for place in range(0, length, HASH_BYTES)])

    def proof_of(self, log_index: int, tree_size: int, note: str) -> tuple[LogEntry, LogProof]:
        """Return an entry and the proof that it is in the peer's log of that size, signed by `note`."""
        if not 0 <= log_index < tree_size <= self.progress.size:
            raise NotFoundError(f"entry {log_index} is beyond the entries kept of this peer")
        (entry,) = self.entries(log_index, log_index + 1)
        return entry, LogProof(log_index, inclusion_proof(log_index, tree_size, self.hash_at), note)

    def _bundle(self, index: int) -> Path:
        return self._path / entries_path(index)
