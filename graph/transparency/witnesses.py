"""Asks witnesses to cosign new checkpoints, in the background: `add-checkpoint` of C2SP tlog-witness over HTTP.

The rules:

- No submission waits for a witness: receipts go out with the checkpoint as the log signed it. Cosignatures are added to
  the served one when they arrive, as long as it is still the newest.
- All witnesses are asked at once, each with a time limit. One that is down is asked again at the next turn.
- A witness states the size that it knows; the proof begins there. One that knows a larger tree, or another tree of the
  same size, is a witness against this log: that is logged as an error at every turn, and not hidden.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import httpx

from a2ap.client import is_loopback
from a2ap.errors import A2APError, WitnessError
from a2ap.log.checkpoint import Checkpoint
from a2ap.log.policy_file import KnownWitness, PolicyFile, read_policy_file
from a2ap.log.signed_note import add_signature, read_note
from a2ap.log.witness_request import AddCheckpoint, add_cosignatures, read_known_size
from graph.errors import GraphError
from graph.settings import Settings, SettingsError

logger = logging.getLogger(__name__)

TIMEOUT = 10.0
"""Maximum seconds for one answer of one witness."""

POLL = 1.0
"""Seconds between two checks for a new checkpoint."""

_PATIENCE = 60.0  # seconds after which witnesses that did not cosign are asked again about the same checkpoint
_MAX_ANSWER = 64 * 1024


class CosignedLog(Protocol):
    """The log whose checkpoints witnesses cosign: `graph.transparency.log.Log`."""

    @property
    def checkpoint(self) -> Checkpoint:
        """Return the newest checkpoint."""

    @property
    def checkpoint_note(self) -> str:
        """Return that checkpoint as it was signed."""

    async def consistency_proof(self, old_size: int, new_size: int | None = None) -> tuple[bytes, ...]:
        """Return the proof that the newer tree continues the older one."""

    async def refresh(self) -> None:
        """Integrate the entries that other servers of this log have written since."""

    async def cosign(self, note: str) -> None:
        """Keep the newest checkpoint with more signatures under it."""


@dataclass(slots=True)
class _Asked:
    witness: KnownWitness
    known_size: int = 0


class Witnesses:
    """The witnesses of one log, and the tree size that each is known to have seen."""

    def __init__(self, log: CosignedLog, witnesses: Sequence[KnownWitness], client: httpx.AsyncClient) -> None:
        self._log = log
        self._client = client
        self._asked = [_Asked(witness) for witness in witnesses if witness.url is not None]

    async def ask(self) -> int:
        """Ask all witnesses about the newest checkpoint; return the number that have cosigned it now."""
        checkpoint, note = self._log.checkpoint, self._log.checkpoint_note
        answers = await asyncio.gather(*(self._cosigned(asked, checkpoint, note) for asked in self._asked))
        lines = [line for answer in answers for line in answer]
        merged = note
        for line in lines:
            merged = add_signature(merged, line)
        if merged != note:
            await self._log.cosign(merged)
        return sum(bool(answer) for answer in answers)

    async def run(self, poll: float = POLL) -> None:
        """Ask whenever there is a new checkpoint, until cancelled."""
        asked: str | None = None
        again = 0.0
        clock = asyncio.get_running_loop().time
        while True:
            try:
                text = self._log.checkpoint.text
                if text != asked or clock() >= again:
                    complete = await self.ask() == len(self._asked)
                    asked, again = text, clock() + (float("inf") if complete else _PATIENCE)
            except (A2APError, GraphError) as error:
                # No checkpoint yet, or one that a witness made unreadable: neither may end the asking.
                logger.warning("witnesses are not asked: %s", error)
            except Exception:
                logger.exception("witnesses could not be asked")
            await asyncio.sleep(poll)

    async def _cosigned(self, asked: _Asked, checkpoint: Checkpoint, note: str) -> list[str]:
        """Return the lines with which a witness cosigned; none if it did not, and then log why."""
        key = asked.witness.key
        try:
            cosigned = await self._ask_one(asked, checkpoint, note)
            lines = [signature.line for signature in read_note(cosigned).signatures if signature.is_by(key)]
            asked.known_size = checkpoint.tree_size
        except (httpx.HTTPError, TimeoutError) as error:
            logger.warning("witness %s does not answer: %s", key.name, type(error).__name__)
            return []
        except (A2APError, GraphError) as error:
            logger.error("witness %s does not cosign %d entries: %s", key.name, checkpoint.tree_size, error)
            return []
        return lines

    async def _ask_one(self, asked: _Asked, checkpoint: Checkpoint, note: str) -> str:
        status, body = await self._post(asked, checkpoint, note)
        if status == 409:
            known = read_known_size(body)
            if known > checkpoint.tree_size:
                await self._log.refresh()
                if known <= self._log.checkpoint.tree_size:
                    # Another server of this log was quicker: at the next turn this one asks about as much.
                    return note
                raise WitnessError(f"it knows a tree of {known} entries: this log has been put back")
            if known != asked.known_size:
                asked.known_size = known
                status, body = await self._post(asked, checkpoint, note)
        if status in (409, 422):
            raise WitnessError(f"it knows another tree of {asked.known_size} entries: this log was forked")
        if status != 200:
            raise WitnessError(f"it answers {status}")
        return add_cosignatures(note, body, [asked.witness.key])

    async def _post(self, asked: _Asked, checkpoint: Checkpoint, note: str) -> tuple[int, bytes]:
        old = min(asked.known_size, checkpoint.tree_size)
        hashes = (
            () if old in (0, checkpoint.tree_size) else await self._log.consistency_proof(old, checkpoint.tree_size)
        )
        body = AddCheckpoint(old, hashes, note).body
        url = f"{(asked.witness.url or '').rstrip('/')}/add-checkpoint"
        async with asyncio.timeout(TIMEOUT), self._client.stream("POST", url, content=body) as response:
            answer = b""
            async for piece in response.aiter_bytes():
                answer += piece
                if len(answer) > _MAX_ANSWER:
                    raise WitnessError(f"its answer has more than {_MAX_ANSWER} bytes")
            return response.status_code, answer


def load_policy_file(path: Path, name: str) -> PolicyFile:
    """Read a file of witnesses. Raises SettingsError; its text begins with `name`, the setting of the file."""
    try:
        return read_policy_file(path.read_text(encoding="utf-8", errors="surrogateescape"))
    except (OSError, A2APError) as error:
        raise SettingsError(f"{name}: {path}: {error.strerror if isinstance(error, OSError) else error}") from error


def witnesses_to_ask(settings: Settings) -> tuple[KnownWitness, ...]:
    """Return the witnesses with an address that the settings name. Raises SettingsError."""
    if settings.witnesses is None:
        return ()
    found = load_policy_file(settings.witnesses, "A2AP_WITNESSES").witnesses
    return tuple(witness for witness in found if witness.url is not None)


@asynccontextmanager
async def asking_witnesses(log: CosignedLog, witnesses: Sequence[KnownWitness]) -> AsyncIterator[None]:
    """Have witnesses asked in the background; with none nothing runs."""
    urls = [witness.url for witness in witnesses if witness.url is not None]
    if not urls:
        yield
        return
    proxied = not all(map(is_loopback, urls))
    async with httpx.AsyncClient(timeout=TIMEOUT, trust_env=proxied) as client:
        task = asyncio.create_task(Witnesses(log, witnesses, client).run())
        try:
            yield
        finally:
            task.cancel()
            await asyncio.wait([task])
