"""Makes bundles: a statement with everything that its score rests on, as far as the reader may read it."""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

from a2ap.bundle.bundle import MEDIA_TYPE
from a2ap.bundle.bundled_message import Score
from a2ap.log.entry import LogEntry, entry_bytes
from a2ap.messages.policy import ConsensusMethod
from a2ap.messages.scoping import origin_of, scope_agent
from graph.audit.bundle_score import score_of
from graph.audit.bundle_sources import BundleSources, base64_text
from graph.clearance import Reader
from graph.content.content_store import ContentStore
from graph.errors import ForbiddenError, NotFoundError, RedactedError, TooLargeError
from graph.export.messages_by_hash import MAX_HASHES, FoundMessage, messages_by_hash
from graph.log.entry import entry_from_row
from graph.store import Row, Store
from graph.transparency.log import Log

MAX_VERDICTS = 2000
"""Maximum verdicts of a statement that has a bundle: with one left out, its score would not follow."""

MAX_ENTRIES = 10_000
"""Maximum entries of one bundle, including all messages about the keys of every agent involved."""

MAX_MESSAGE_BYTES = 2**26
"""Maximum bytes of the messages of one bundle."""

_ATTEMPTS = 3


@dataclass(frozen=True, slots=True)
class BundleMaker:
    """Makes the bundles of one node for one reader."""

    store: Store
    content: ContentStore
    log: Log
    reader: Reader

    async def make(self, signed_hash: str) -> bytes:
        """Return the bundle of a statement, by its signed hash.

        Raises `NotFoundError` if there is no such statement, `ForbiddenError` if this reader may not see it,
        `RedactedError` if it quotes an erased passage, and `TooLargeError` if the score rests on more than a bundle
        holds.
        """
        for _ in range(_ATTEMPTS):
            score = await self._score(signed_hash)
            await self.log.refresh()
            members = await self._members(signed_hash, score)
            # A verdict that came meanwhile would be in the bundle and not in the score, or the other way round.
            if await self._score(signed_hash) == score:
                break
        return json.dumps(members, indent=1).encode() + b"\n"

    async def _members(self, signed_hash: str, score: Score | None) -> dict[str, Any]:
        checkpoint, note = self.log.checkpoint, self.log.checkpoint_note
        entries = await self._entries(signed_hash)
        entries = [entry for entry in entries if entry.log_index < checkpoint.tree_size]
        found = await self._messages(entries)
        statement = found[signed_hash]
        if statement.quotes_erased:
            raise RedactedError(f"{signed_hash} quotes bytes of a source that were {statement.withheld}")
        if statement.withheld is not None:
            raise ForbiddenError(f"{signed_hash} cannot be shown whole: {statement.withheld}")
        if statement.content is None:
            raise NotFoundError(f"the bytes of {signed_hash} are not here")
        return {
            "mediaType": MEDIA_TYPE,
            "statement": signed_hash,
            "checkpoint": note,
            "logKeySuccessions": list(self.log.successions),
            "entries": [
                await self._entry_members(entry, found[entry.signed_hash], checkpoint.tree_size) for entry in entries
            ],
            "sources": await BundleSources(self.store, self.content, self.reader).members(statement.content),
            "score": _score_members(score),
        }

    async def _score(self, signed_hash: str) -> Score | None:
        rows = await self.store.read("statuses_of", hashes=[signed_hash])
        if not rows:
            raise NotFoundError(f"no statement {signed_hash} is here")
        if rows[0]["consensus_score"] is None:
            return None
        policies = await self.store.read("current_policy")
        method = policies[0]["method"] if policies else ConsensusMethod.POSTERIOR
        (standing,) = await self.store.read("standings_of", hashes=[signed_hash])
        # The weight that an excluded statement takes from it is not in a bundle: this is the score of its own verdicts.
        verified = bool(rows[0]["verified"] or standing["carried"])
        return score_of(method, rows[0]["consensus_score"], verified)

    async def _entries(self, signed_hash: str) -> list[LogEntry]:
        """Return the entries of all messages that the score rests on, in log order."""
        for row in await self.store.read("count_verdicts", hashes=[signed_hash]):
            _check_size(signed_hash, row["number"], MAX_VERDICTS, "verdicts")
        judged = await self.store.read("judgements_of", hashes=[signed_hash])
        hashes = {signed_hash} | {row["verification"] for row in judged}
        hashes |= await self._about(signed_hash, hashes)
        policies = await self.store.read("current_policy")
        hashes |= {row["signed_hash"] for row in policies}
        hashes |= await self._known_beside({row["verifier"] for row in judged}, signed_hash)
        entries = await self._read_entries(hashes)
        judges = {entry.agent for entry in entries}
        endorsements = await self.store.read("endorsements_of", ids=sorted(judges))
        entries += await self._read_entries({row["signed_hash"] for row in endorsements})
        return await self._with_keys(entries)

    async def _known_beside(self, verifiers: Collection[str], signed_hash: str) -> set[str]:
        """Return the signed hashes of gold labels, and of the epoch's parts and families of these verifiers.

        The epoch's parts are those of their operators as well.
        """
        read, listed = self.store.read, sorted(verifiers)
        labels = await read("gold_labels_of", hashes=[signed_hash])
        found = {row["signed_hash"] for row in labels if row["in_force"]}
        found |= await self._false_probes(signed_hash, labels)
        operators = {row["operator"] for row in await read("endorsers_of", ids=listed)}
        for epoch in await read("current_epoch"):
            parts = await read("epoch_parts_of", log_size=epoch["log_size"], ids=sorted({*listed, *operators}))
            found |= {row["signed_hash"] for row in parts}
        for member in await read("memberships_of", ids=listed):
            rows = await read("log_entries_from", start=member["stated_at"], first=1)
            found |= {row["signed_hash"] for row in rows}
        return found

    async def _false_probes(self, signed_hash: str, labels: Sequence[Row]) -> set[str]:
        """Return the signed hashes of the labels that reveal a false probe, and of the messages that suspend them.

        A false probe is never verified, even if its label is no longer in force.
        """
        found = {
            row["signed_hash"]
            for row in labels
            if row["own"] and row["probe"] and not row["passes"] and row["key_trusted"]
        }
        if not found:
            return found
        found |= {row["signed_hash"] for row in await self.store.read("retractions_of", hashes=sorted(found))}
        after = -1
        while rows := await self.store.read("gold_disputes_of", hashes=[signed_hash], after=after, first=MAX_HASHES):
            after = rows[-1]["log_index"]
            found |= {row["signed_hash"] for row in rows if row["suspends"]}
        return found

    async def _about(self, signed_hash: str, hashes: Collection[str]) -> set[str]:
        """Return the signed hashes of retractions, revisions, redactions, twins, and registrations of cited sources."""
        read, listed = self.store.read, sorted(hashes)
        (statement,) = await read("statements_by_hash", hashes=[signed_hash])
        found = {row["signed_hash"] for row in await read("retractions_of", hashes=listed)}
        found |= {row["revision"] for row in await read("own_revisions_of", hashes=[signed_hash])}
        found |= {row["signed_hash"] for row in await read("redactions_by_target", targets=listed)}
        twins = await read("statements_by_id", ids=[statement["statement_id"]])
        found |= {row["signed_hash"] for row in twins}
        cited = await read("boundaries_cited", hashes=[signed_hash])
        names = sorted({row["document"] for row in cited})
        found |= {row["signed_hash"] for row in await read("redactions_by_target", targets=names)}
        documents = await read("documents_known", hashes=names)
        return found | {row["registration_hash"] for row in documents if row["registration_hash"]}

    async def _with_keys(self, entries: Sequence[LogEntry]) -> list[LogEntry]:
        """Add the log's entries about the keys of all agents that signed any of the entries."""
        found = {entry.signed_hash: entry for entry in entries}
        known: set[str] = set()
        while asked := ({entry.agent for entry in found.values()} | _nodes_of(found.values())) - known:
            known |= asked
            rows = await self.store.read("key_events_of", ids=sorted(asked))
            missing = {row["signed_hash"] for row in rows if row["signed_hash"]} - found.keys()
            _check_size("the bundle", len(found) + len(missing), MAX_ENTRIES, "entries")
            found |= {entry.signed_hash: entry for entry in await self._read_entries(missing)}
        return sorted(found.values(), key=lambda entry: entry.log_index)

    async def _read_entries(self, hashes: Collection[str]) -> list[LogEntry]:
        if not hashes:
            return []
        return [entry_from_row(row) for row in await self.store.read("log_entries_by_hash", hashes=sorted(hashes))]

    async def _messages(self, entries: Sequence[LogEntry]) -> dict[str, FoundMessage]:
        found: dict[str, FoundMessage] = {}
        for start in range(0, len(entries), MAX_HASHES):
            page = entries[start : start + MAX_HASHES]
            hashes = [entry.document_hash for entry in page]
            given = await messages_by_hash(self.store, self.content, hashes, self.reader.clearance)
            found |= {
                entry.signed_hash: await self._standing(message) for entry, message in zip(page, given, strict=True)
            }
            size = sum(len(message.content) for message in found.values() if message.content is not None)
            _check_size("the bundle", size, MAX_MESSAGE_BYTES, "bytes of messages")
        return found

    async def _standing(self, found: FoundMessage) -> FoundMessage:
        """Return a message in its present form: the remainder, if it was redacted."""
        left = found.redaction.redacted_document_hash if found.redaction is not None else None
        if left is None:
            return found
        (remainder,) = await messages_by_hash(self.store, self.content, [left], self.reader.clearance)
        return replace(remainder, redaction=found.redaction)

    async def _entry_members(self, entry: LogEntry, found: FoundMessage, size: int) -> dict[str, Any]:
        hashes = await self.log.inclusion_proof(entry.log_index, size)
        withheld = None if found.content is not None else found.withheld or "its bytes are not here"
        return {
            "logIndex": entry.log_index,
            "entry": entry_bytes(entry).decode(),
            "hashes": [base64_text(node) for node in hashes],
            "document": base64_text(found.content) if found.content is not None else None,
            "withheld": withheld,
            "redacted": None if found.redaction is None else {"by": found.redaction.redaction_id},
        }


def _check_size(what: str, number: int, most: int, unit: str) -> None:
    if number > most:
        raise TooLargeError(f"{what} has {number} {unit}, and a bundle holds {most}")


def _nodes_of(entries: Collection[LogEntry]) -> set[str]:
    """Return the nodes that may speak about the keys of these agents: this node, and the nodes of their own logs."""
    origins = {entry.origin for entry in entries}
    scoped = {origin_of(entry.agent) for entry in entries} - {None}
    return origins | {scope_agent(str(origin), str(origin)) for origin in scoped}


def _score_members(score: Score | None) -> dict[str, Any] | None:
    if score is None:
        return None
    return {"method": score.method, "consensusScore": score.consensus_score, "verified": score.verified}
