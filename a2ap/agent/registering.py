"""The registration of sources and packs as exchanges: a message and bytes together."""

import base64
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote as percent_encoded

from a2ap.agent.content import Content, FileContent, Progress, digests_of
from a2ap.agent.exchange import Exchange, Request, read_object, send
from a2ap.agent.quotes import Source
from a2ap.agent.submitting import REFUSALS, Message, Submitting, content_hash, segment
from a2ap.boundary import Boundary
from a2ap.client.answers import ProblemError, Receipt, UnreachableError
from a2ap.client.possession import takes_no_proof
from a2ap.json_text import write_json
from a2ap.messages.envelope import MessageType
from a2ap.messages.possession import possession_mac
from a2ap.messages.record_registration import RecordFormat, build_record_registration
from a2ap.messages.source_registration import build_source_registration
from a2ap.pack.archive import write_archive
from a2ap.pack.packing import Pack


class Registering(Submitting):
    """The sources and packs of one agent at one node."""

    def source(
        self,
        content: Content,
        *,
        title: str,
        source_id: str | None = None,
        boundary: Boundary = Boundary.PUBLIC,
        progress: Progress | None = None,
        **about: Any,
    ) -> Exchange[Source]:
        """Register a source with its bytes; `about` are further members of `build_source_registration`."""
        document_hash, mac = digests_of(content, self.identity.agent_id)
        source = Source(source_id or f"urn:{document_hash}", content, title, document_hash)
        stated = {"title": title, "boundary": boundary, **about}

        def registration(mac: str | None) -> Message:
            return build_source_registration(
                registration_id=self._fresh_id(),
                registered_at=self._clock(),
                registering_agent=self.identity.agent_id,
                source_id=source.id,
                document_hash=document_hash,
                byte_length=len(content),
                possession_mac=mac,
                **stated,
            )

        purpose = f"source {source.id} {content_hash(stated, document_hash)}"
        try:
            yield from self._put(source, self._purpose(purpose), lambda: registration(mac), progress)
        except ProblemError as problem:
            # The node has the bytes from another agent, which owns them: they are registered without a proof.
            if not takes_no_proof(problem):
                raise
            self._outbox.note_answered(self._purpose(purpose), self._node)
            yield from self._submit_once(f"{purpose} without proof", lambda: registration(None))
        return source

    def record(self, pack: Pack, boundary: Boundary) -> Exchange[Receipt]:
        """Register a pack with its contents; it is kept on disk until the node has answered, for `flush`."""
        purpose, document, archive = self.keep(pack, boundary)
        try:
            return (yield from self._send_pack(purpose, document, archive))
        except ProblemError as problem:
            if not takes_no_proof(problem):
                raise
        bare = f"{purpose} without proof"
        document = self._signed(bare, lambda: self._registration_of_pack(pack.hash, boundary, None))
        return (yield from self._send_pack(bare, document, archive))

    def keep(self, pack: Pack, boundary: Boundary) -> tuple[str, Message, bytes]:
        """Keep a pack on disk for `flush`; return its purpose, its signed registration, and its archive."""
        purpose, archive = self._purpose(f"pack {pack.hash}"), write_archive([pack])
        self._packs.keep(pack.hash, archive)
        mac = possession_mac(self.identity.agent_id, pack.data)
        document = self._signed(purpose, lambda: self._registration_of_pack(pack.hash, boundary, mac))
        self._outbox.note_sent(purpose, self._node)
        return purpose, document, archive

    def _registration_of_pack(self, name: str, boundary: Boundary, mac: str | None) -> Message:
        return build_record_registration(
            registration_id=self._fresh_id(),
            registered_at=self._clock(),
            registering_agent=self.identity.agent_id,
            format=RecordFormat.PACK,
            document_hash=name,
            boundary=boundary,
            possession_mac=mac,
        )

    def _send_pack(self, purpose: str, document: Message, archive: bytes) -> Exchange[Receipt]:
        # The archive is passed on: another claim of the same run may have dropped the kept one.
        data = write_json(document)
        headers = {
            "content-type": "application/x-tar",
            "a2ap-registration": base64.b64encode(data).decode("ascii"),
        }
        self._outbox.note_sent(purpose, self._node)
        try:
            answer = yield from read_object(Request("POST", "/packs", archive, headers))
        except ProblemError as problem:
            if problem.status in REFUSALS or takes_no_proof(problem):
                self._outbox.note_answered(purpose, self._node)
            raise
        stated = self._only_record(answer)
        receipt = yield from self._received(purpose, data, stated, created=bool(stated.get("created", True)))
        self._packs.drop(document["documentHash"])
        return receipt

    def _only_record(self, answer: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the receipt in an answer to one pack."""
        records = answer.get("records")
        if not isinstance(records, list) or len(records) != 1 or not isinstance(records[0], dict):
            raise UnreachableError(f"{self._node} answered a pack with no list of one record")
        return records[0]

    def flush(self) -> Exchange[list[Receipt | ProblemError]]:
        """Send all messages to the node again that have no answer of it; return the receipts and refusals, in order.

        A source goes with its bytes, which the outbox has not: `source` sends it again.
        """
        answers: list[Receipt | ProblemError] = []
        for purpose, message in self._outbox.pending(self._node):
            is_pack = message["@type"] == MessageType.RECORD_REGISTRATION.wire
            archive = self._packs.find(message["documentHash"]) if is_pack else None
            if _needs_bytes(message) or (is_pack and archive is None):
                continue
            try:
                sent = self._submit(purpose, message) if archive is None else self._send_pack(purpose, message, archive)
                answers.append((yield from sent))
            except ProblemError as problem:
                answers.append(problem)
        return answers

    def _put(
        self, source: Source, purpose: str, build: Callable[[], Message], progress: Progress | None
    ) -> Exchange[Receipt]:
        """Send the bytes of a source with its registration; many bytes that the node has are not sent again."""
        document = self._signed(purpose, build)
        self._outbox.note_sent(purpose, self._node)
        registration = base64.b64encode(write_json(document)).decode("ascii")
        boundary = document["source"]["boundary"]
        path = f"/sources/{segment(source.document_hash)}?boundary={percent_encoded(boundary)}"
        is_here = isinstance(source.content, FileContent) and (yield from self._has(source.document_hash))
        content = b"" if is_here else source.content
        headers = {
            "content-type": "application/octet-stream",
            "content-length": str(len(content)),
            "a2ap-registration": registration,
        }
        answer = yield from read_object(Request("PUT", path, content, headers, progress))
        if is_here and progress is not None:
            progress(len(source.content), len(source.content))
        receipt = answer.get("receipt")
        if not isinstance(receipt, dict):
            raise UnreachableError(f"{self._node} answered a source with no receipt")
        created = bool(receipt.get("created", True))
        return (yield from self._received(purpose, write_json(document), receipt, created=created))

    def _has(self, document_hash: str) -> Exchange[bool]:
        """Say whether the node has the bytes of a source, as far as this reader may know."""
        try:
            yield from send(Request("HEAD", f"/sources/{segment(document_hash)}"))
        except ProblemError:
            return False
        return True


def _needs_bytes(message: Message) -> bool:
    return message["@type"] == MessageType.SOURCE_REGISTRATION.wire and "possessionMac" in message["source"]
