"""Every document of the log: fetched by its hash, hashed again, and compared with its entry.

A document that is withheld, redacted beyond repair, missing, or different from its entry is left out of the replay, and
so is everything about it: those names can no longer be compared.
"""

import hashlib
from collections.abc import AsyncIterator, Sequence
from typing import Any

from a2ap.errors import A2APError
from a2ap.log.entry import LogEntry
from a2ap.messages.log_key_rotation import LogKeyRotation
from a2ap.messages.message import Message, MessageType
from a2ap.messages.possession import PossessionMac
from a2ap.messages.record_registration import RecordRegistration
from a2ap.messages.redaction import Redaction
from a2ap.messages.source_registration import SourceRegistration
from a2ap.messages.verification_request import VerificationRequest
from a2ap.messages.verification_response import VerificationResponse
from graph.audit.node_files import GivenMessage, MissingFileError, NodeFiles, TooLongError, WithheldError
from graph.audit.report import AuditReport, FindingKind
from graph.audit.workspace import Workspace
from graph.dictionary.labels import NODE_KEYS
from graph.errors import ContentMismatchError, RebuildError
from graph.export.messages_by_hash import MAY_BE_WITHHELD
from graph.submission.rebuild import message_of

# Nodes of the graph that are named by the hash of their bytes, and say whether these are held.
_HELD_LABELS = tuple(label for label, key in NODE_KEYS.items() if key in ("document_key", "record_hash"))
_AT_ONCE = 32  # documents in memory, of a mebibyte at most


class DocumentWalk:
    """Checks documents bundle by bundle and keeps them; notes log keys, sources and redactions as it passes them."""

    def __init__(self, node: NodeFiles, workspace: Workspace, report: AuditReport) -> None:
        self._node = node
        self._workspace = workspace
        self._report = report
        self.given = True
        """Whether there are documents at all; an export may contain the log only."""
        self.home: str | None = None
        """The agent of the node whose log it is: the signer of the first entry."""
        self.successions: list[str] = []
        """The notes with which the log's keys handed it over, in log order."""
        self._redacted: dict[str, tuple[int, str]] = {}
        self._redactions: dict[str, list[str]] = {}

    @property
    def redacted(self) -> dict[str, str]:
        """The hash of the bytes that stand for each redacted message, by its signed hash."""
        return {signed_hash: left for signed_hash, (_, left) in self._redacted.items()}

    async def check(self, entries: Sequence[LogEntry]) -> None:
        """Check the documents of consecutive entries."""
        for start in range(0, len(entries), _AT_ONCE):
            await self._check_some(entries[start : start + _AT_ONCE])

    async def _check_some(self, entries: Sequence[LogEntry]) -> None:
        if not self.given:
            return
        try:
            given = await self._node.messages([entry.document_hash for entry in entries])
        except MissingFileError as error:
            self.given = False
            self._report.stop(f"documents, signatures and the graph: {error}")
            return
        remainders = await self._remainders([message for message in given if message.redacted_hash is not None])
        whole: list[bytes] = []
        for entry, message in zip(entries, given, strict=True):
            self.home = self.home or entry.agent
            left = remainders.get(message.redacted_hash or "")
            content = self._check_given(entry, message) if left is None else self._check_remainder(entry, left)
            if content is not None:
                whole.append(content)
        await self._workspace.content.put_many(whole)
        self._report.checked["documents"] += len(whole)

    async def fetch_sources(self) -> None:
        """Fetch the bytes of every registered source that this reader may read."""
        await self._fetch(self._workspace.run("SELECT document_hash FROM sources WHERE state = 'asked' ORDER BY 1"))

    async def fetch_held_since(self) -> int:
        """Fetch the sources that were not held, and that the published graph calls held; return their number."""
        labels = ", ".join("?" * len(_HELD_LABELS))
        held = self._workspace.run(
            "SELECT DISTINCT document_hash FROM sources JOIN rows ON name = document_hash"
            f" WHERE state = 'not held' AND rows.published AND kind = 'node' AND label IN ({labels})"
            " AND json_extract(properties, '$.held') ORDER BY 1",
            *_HELD_LABELS,
        )
        return await self._fetch(held)

    async def _fetch(self, names: Sequence[tuple[Any, ...]]) -> int:
        here = 0
        for (name,) in names:
            try:
                await self._fetch_one(name)
                found, here = "here", here + 1
                self._report.checked["sources"] += 1
            except WithheldError:
                found = "withheld"
                self._report.leave("sources that this reader may not have")
            except TooLongError as error:
                found = "withheld"
                self._report.leave(str(error))
            except MissingFileError:
                found = "not held"
            except ContentMismatchError as error:
                found = "other bytes"
                self._report.add(FindingKind.SOURCE, f"source {name}", str(error))
            self._workspace.run("UPDATE sources SET state = ? WHERE document_hash = ?", found, name)
        return here

    async def _fetch_one(self, name: str) -> None:
        """Fetch the bytes of a source, and check that the agents had them that proved possession of them."""
        proofs = self._workspace.run(
            "SELECT log_index, agent, possession_mac FROM proofs WHERE document_hash = ? ORDER BY 1", name
        )
        macs = {agent: PossessionMac(agent) for _, agent, _ in proofs}

        async def fed() -> AsyncIterator[bytes]:
            async for chunk in self._node.source(name):
                for mac in macs.values():
                    mac.update(chunk)
                yield chunk

        await self._workspace.content.put_stream(fed(), expected=name)
        for log_index, agent, possession_mac in proofs:
            if possession_mac != macs[agent].text:
                what = f"{possession_mac} is not the MAC of the bytes of {name} by {agent}: it did not have them"
                self._report.add(FindingKind.SOURCE, f"log entry {log_index}", what, log_index)

    def check_redactions(self) -> None:
        """Check that a redaction in the log names the remainder of each redacted document."""
        for signed_hash, (log_index, left) in self._redacted.items():
            if left not in self._redactions.get(signed_hash, ()):
                what = f"{left} is given as the remainder of a redacted document, and no redaction in the log names it"
                self._report.add(FindingKind.DOCUMENT, f"log entry {log_index}", what, log_index)

    async def _remainders(self, redacted: Sequence[GivenMessage]) -> dict[str, GivenMessage]:
        """Return the remainders of redacted documents, by their own hashes."""
        names = [message.redacted_hash for message in redacted if message.redacted_hash is not None]
        return {left.document_hash: left for left in await self._node.messages(names)} if names else {}

    def _check_remainder(self, entry: LogEntry, left: GivenMessage) -> bytes | None:
        """Return the remainder of a redacted document; its redaction is looked up after the whole log is read."""
        if left.content is None:
            self._report.leave("documents that this reader may not have")
            self._skip(entry, "withheld", entry.type)
            return None
        found = f"sha256:{hashlib.sha256(left.content).hexdigest()}"
        if found != left.document_hash:
            self._fail(entry, f"{left.document_hash} is left of its document, and {found} is given for it")
            return None
        try:
            message = message_of(entry, left.content, self.home, redacted=True)
        except (A2APError, RebuildError) as error:
            self._fail(entry, f"the remainder of its document does not fit the entry: {error}")
            return None
        self._redacted[entry.signed_hash] = entry.log_index, found
        self._report.checked["redacted documents"] += 1
        self._note(entry, message)
        return left.content

    def _check_given(self, entry: LogEntry, given: GivenMessage) -> bytes | None:
        """Return the received bytes if the node gives them and they match the entry."""
        if given.content is None:
            if given.withheld is not None and entry.type in MAY_BE_WITHHELD:
                self._report.leave("documents that this reader may not have")
                self._skip(entry, "withheld", entry.type)
            elif given.withheld is not None:
                self._fail(entry, f"it is withheld, and nothing in a message of type {entry.type} may be")
            else:
                self._fail(entry, f"its document {entry.document_hash} is not given, and not said to be withheld")
            return None
        found = f"sha256:{hashlib.sha256(given.content).hexdigest()}"
        if found != entry.document_hash:
            self._fail(entry, f"its document is {entry.document_hash}, and {found} is given for it")
            return None
        try:
            message = message_of(entry, given.content, self.home)
        except A2APError as error:
            self._fail(entry, f"its document is no message: {error}")
            return None
        except RebuildError as error:
            self._fail(entry, str(error).removeprefix(f"entry {entry.log_index} "))
            return None
        self._note(entry, message)
        return given.content

    def _note(self, entry: LogEntry, message: Message) -> None:
        match message:
            case LogKeyRotation():
                self.successions.append(message.note)
            case SourceRegistration() | RecordRegistration():
                # Where a record comes from a peer, its bytes do not.
                if entry.origin_index is None or isinstance(message, SourceRegistration):
                    self._workspace.run("INSERT OR IGNORE INTO sources VALUES (?, 'asked')", message.document_hash)
                if entry.has_proof:
                    proof = message.document_hash, entry.log_index, entry.agent, message.possession_mac
                    self._workspace.run("INSERT INTO proofs VALUES (?, ?, ?, ?)", *proof)
            case Redaction() if message.redacted_document_hash is not None:
                if message.target_hash is not None:
                    self._redactions.setdefault(message.target_hash, []).append(message.redacted_document_hash)
                else:
                    self._workspace.run(
                        "INSERT OR IGNORE INTO sources VALUES (?, 'asked')", message.redacted_document_hash
                    )
            case VerificationResponse() | VerificationRequest():
                # A message about another that is left out is not written where that is not.
                if self._workspace.is_untold(message.target_hash or message.target_statement):
                    self._skip(entry, "about something that is left out", entry.type)
            case _:
                pass

    def _fail(self, entry: LogEntry, what: str) -> None:
        self._report.add(FindingKind.DOCUMENT, f"log entry {entry.log_index}", what, entry.log_index)
        self._skip(entry, "does not hold")

    def _skip(self, entry: LogEntry, why: str, message_type: str = "") -> None:
        names = [entry.signed_hash, entry.id]
        if entry.type == MessageType.AGENT_REGISTRATION:
            names.append(entry.agent)
        self._workspace.skip(entry.log_index, why, names, message_type)
