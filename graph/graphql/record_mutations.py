"""Mutations that take bytes beside a message: sources, and records of other formats."""

from collections.abc import AsyncIterator, Sequence
from typing import Annotated

import strawberry

from a2ap.canonical import sha256_digest
from a2ap.messages.message import MessageType, read_message
from a2ap.messages.record_registration import RecordFormat
from a2ap.messages.source_registration import SourceRegistration
from a2ap.passport.passport import read_chain
from graph.errors import ContentMismatchError
from graph.graphql.arguments import BoundaryName, Registration, Signed
from graph.graphql.context import Info
from graph.graphql.log_entry import Receipt
from graph.graphql.record import read_admitted, register_records
from graph.graphql.submission import (
    Receipts,
    RecordsResult,
    SubmissionResult,
    decode_base64,
    encode_document,
    mutated,
    submit,
)
from graph.records.packet_record_rows import format_of
from graph.records.packs import list_packs
from graph.services.record_permission import read_registration

_PIECE = 1 << 20  # bytes

PackContents = Annotated[
    list[str], strawberry.argument(description="The contents named by the manifest, each in base64.")
]
RecordContents = Annotated[
    list[str],
    strawberry.argument(description="The bytes of the record, and of the contents that it names, each in base64."),
]
RecordText = Annotated[str, strawberry.argument(description="The document, byte for byte as it is to be stored.")]
SourceContent = Annotated[str | None, strawberry.argument(description="The bytes of the source, in base64.")]


@strawberry.type(description="Mutations that submit bytes beside a message.")
class RecordMutations:
    """Mutations for sources, passports, packs, packets and their records."""

    @mutated
    async def register_source(
        self, info: Info, document: Signed, content_base64: SourceContent = None
    ) -> SubmissionResult | None:
        """Register a source (a2ap:SourceRegistration), and submit its bytes if they are small.

        A registration with a `possessionMac` is accepted only with the bytes.
        """
        if content_base64 is None:
            return await submit(info, document, MessageType.SOURCE_REGISTRATION)
        content = decode_base64(content_base64, "contentBase64")
        message = read_message(encode_document(document))
        if isinstance(message, SourceRegistration) and sha256_digest(content) != message.document_hash:
            raise ContentMismatchError(f"the content is {sha256_digest(content)}, not {message.document_hash}")
        if isinstance(message, SourceRegistration) and message.possession_mac is not None:
            proven, _ = await info.context.platform.sources.add(
                message, _pieces(content), info.context.caller, length=len(content)
            )
            return Receipt.from_receipt(proven)
        receipt = await submit(info, document, MessageType.SOURCE_REGISTRATION)
        await info.context.platform.sources.put(
            sha256_digest(content),
            _pieces(content),
            info.context.caller,
            length=len(content),
            boundary=message.boundary if isinstance(message, SourceRegistration) else None,
        )
        return receipt

    @mutated
    async def register_record(self, info: Info, document: Signed, contents: RecordContents) -> SubmissionResult | None:
        """Submit a record of any format under an agent's own registration (a2ap:RecordRegistration)."""
        message = read_registration(encode_document(document))
        blobs = await read_admitted(info, document, lambda: _decoded(contents))
        content = next((blob for blob in blobs if sha256_digest(blob) == message.document_hash), None)
        if content is None:
            raise ContentMismatchError(f"{message.document_hash} is not among the contents")
        others = [blob for blob in blobs if blob is not content]
        return await _register_one(info, message.format, content, None, document, others)

    @mutated
    async def register_passport(
        self, info: Info, document: RecordText, boundary: BoundaryName = None, registration: Registration = None
    ) -> RecordsResult | None:
        """Submit a Context Passport or an array of them; `registration` is a signed a2ap:RecordRegistration."""
        chain = await read_admitted(info, registration, lambda: read_chain(encode_document(document)))
        contents = [passport.data for passport in chain.passports]
        receipts = await register_records(info, RecordFormat.PASSPORT, contents, boundary, registration)
        return Receipts(receipts=receipts)

    @mutated
    async def register_pack(
        self,
        info: Info,
        manifest: RecordText,
        contents: PackContents,
        boundary: BoundaryName = None,
        registration: Registration = None,
    ) -> SubmissionResult | None:
        """Submit a Context Pack with all contents named by its manifest."""
        blobs = await read_admitted(info, registration, lambda: _decoded(contents))
        return await _register_one(info, RecordFormat.PACK, encode_document(manifest), boundary, registration, blobs)

    @mutated
    async def register_packet(
        self, info: Info, document: RecordText, boundary: BoundaryName = None, registration: Registration = None
    ) -> SubmissionResult | None:
        """Submit a Context Packet."""
        return await _register_one(info, RecordFormat.PACKET, encode_document(document), boundary, registration)

    @mutated
    async def register_packet_record(
        self, info: Info, document: RecordText, boundary: BoundaryName = None, registration: Registration = None
    ) -> SubmissionResult | None:
        """Submit a receipt, a return or a disposition of a Context Packet; it is recorded without further effect."""
        content = encode_document(document)
        format = await read_admitted(info, registration, lambda: format_of(content))
        return await _register_one(info, format, content, boundary, registration)


async def _register_one(
    info: Info,
    format: RecordFormat,
    content: bytes,
    boundary: str | None,
    registration: str | None,
    blobs: Sequence[bytes] = (),
) -> Receipt:
    (receipt,) = await register_records(info, format, [content], boundary, registration, blobs)
    if format is RecordFormat.PACK:
        await list_packs(info.context.platform.content, [content])
    return receipt


def _decoded(contents: Sequence[str]) -> list[bytes]:
    return [decode_base64(content, "contents") for content in contents]


async def _pieces(content: bytes) -> AsyncIterator[bytes]:
    for start in range(0, len(content), _PIECE):
        yield content[start : start + _PIECE]
