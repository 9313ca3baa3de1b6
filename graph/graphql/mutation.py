"""What can be handed in: each message as its signed text, so that its bytes survive, and the bytes of sources."""

import base64
import binascii
from collections.abc import AsyncIterator
from typing import Annotated

import strawberry

from a2ap.canonical import sha256_digest
from a2ap.message import MessageType, read_message
from a2ap.passport.passport import read_chain
from a2ap.record_registration import RecordFormat
from a2ap.source_registration import SourceRegistration
from graph.errors import ContentMismatchError, InputError
from graph.graphql.agent import Reputation
from graph.graphql.arguments import BoundaryName, Registration, Signed
from graph.graphql.computed import compute_consensus, compute_reputation
from graph.graphql.consensus import Consensus
from graph.graphql.context import Info
from graph.graphql.fields import resolved
from graph.graphql.log_entry import Receipt
from graph.graphql.record import decode_contents, register_records
from graph.records.packet_record_rows import format_of
from graph.records.packs import list_packs

_PIECE = 1 << 20  # bytes


PackContents = Annotated[
    list[str], strawberry.argument(description="The contents that the manifest names, each in base64.")
]
PacketText = Annotated[str, strawberry.argument(description="The document, exactly as it is to be kept.")]


@strawberry.type(description="What can be handed in. A document is the signed JSON-LD text, exactly as it was signed.")
class Mutation:
    """The root of all changes."""

    @resolved
    async def register_agent(self, info: Info, document: Signed) -> Receipt:
        """Register an agent with its key (a2ap:AgentRegistration)."""
        return await _submit(info, document, MessageType.AGENT_REGISTRATION)

    @resolved
    async def register_source(
        self,
        info: Info,
        document: Signed,
        content_base64: Annotated[
            str | None, strawberry.argument(description="The bytes of the source, in base64.")
        ] = None,
    ) -> Receipt:
        """Register a source (a2ap:SourceRegistration), and hand in its bytes if they are small."""
        if content_base64 is None:
            return await _submit(info, document, MessageType.SOURCE_REGISTRATION)
        content = _decode(content_base64)
        message = read_message(_encode(document))
        if isinstance(message, SourceRegistration) and sha256_digest(content) != message.document_hash:
            raise ContentMismatchError(f"the content is {sha256_digest(content)}, not {message.document_hash}")
        receipt = await _submit(info, document, MessageType.SOURCE_REGISTRATION)
        await info.context.platform.sources.put(sha256_digest(content), _pieces(content))
        return receipt

    @resolved
    async def endorse(self, info: Info, document: Signed) -> Receipt:
        """Vouch for an agent (a2ap:Endorsement)."""
        return await _submit(info, document, MessageType.ENDORSEMENT)

    @resolved
    async def submit_statement(self, info: Info, document: Signed) -> Receipt:
        """Make a statement (a2ap:ProvenanceStatement)."""
        return await _submit(info, document, MessageType.STATEMENT)

    @resolved
    async def request_verification(self, info: Info, document: Signed) -> Receipt:
        """Ask for a statement to be verified (a2ap:VerificationRequest)."""
        return await _submit(info, document, MessageType.VERIFICATION_REQUEST)

    @resolved
    async def submit_verification(self, info: Info, document: Signed) -> Receipt:
        """Give a verdict on a statement (a2ap:VerificationResponse)."""
        return await _submit(info, document, MessageType.VERIFICATION_RESPONSE)

    @resolved
    async def set_policy(self, info: Info, document: Signed) -> Receipt:
        """Set the policy of this node, signed by its key (a2ap:Policy)."""
        return await _submit(info, document, MessageType.POLICY)

    @resolved
    async def register_key(self, info: Info, document: Signed) -> Receipt:
        """Give an agent another key (a2ap:KeyRegistration)."""
        return await _submit(info, document, MessageType.KEY_REGISTRATION)

    @resolved
    async def revoke_key(self, info: Info, document: Signed) -> Receipt:
        """Say that a key no longer speaks for its agent (a2ap:KeyRevocation)."""
        return await _submit(info, document, MessageType.KEY_REVOCATION)

    @resolved
    async def deactivate_agent(self, info: Info, document: Signed) -> Receipt:
        """Say that an agent says no more (a2ap:AgentDeactivation)."""
        return await _submit(info, document, MessageType.AGENT_DEACTIVATION)

    @resolved
    async def announce_version(self, info: Info, document: Signed) -> Receipt:
        """Say that an agent is a version of a family (a2ap:AgentVersion)."""
        return await _submit(info, document, MessageType.AGENT_VERSION)

    @resolved
    async def retract(self, info: Info, document: Signed) -> Receipt:
        """Take back a statement, verdict, gold label or dispute of one's own (a2ap:Retraction)."""
        return await _submit(info, document, MessageType.RETRACTION)

    @resolved
    async def decline_verification(self, info: Info, document: Signed) -> Receipt:
        """Say that a verification request is not answered, and why (a2ap:VerificationDecline)."""
        return await _submit(info, document, MessageType.VERIFICATION_DECLINE)

    @resolved
    async def answer_challenge(self, info: Info, document: Signed) -> Receipt:
        """Answer a challenge of a statement of one's own (a2ap:ChallengeAnswer)."""
        return await _submit(info, document, MessageType.CHALLENGE_ANSWER)

    @resolved
    async def redact(self, info: Info, document: Signed) -> Receipt:
        """Erase disclosures of a message or text of a source (a2ap:Redaction)."""
        return await _submit(info, document, MessageType.REDACTION)

    @resolved
    async def label_gold(self, info: Info, document: Signed) -> Receipt:
        """Say what is known of a statement, signed by the node's key (a2ap:GoldLabel); `retract` withdraws it."""
        return await _submit(info, document, MessageType.GOLD_LABEL)

    @resolved
    async def dispute_gold(self, info: Info, document: Signed) -> Receipt:
        """Say that a gold label is wrong (a2ap:GoldDispute)."""
        return await _submit(info, document, MessageType.GOLD_DISPUTE)

    @resolved
    async def commit_probes(self, info: Info, document: Signed) -> Receipt:
        """Commit to the answers of claims before verifiers are asked, signed by the node's key (a2ap:Probe)."""
        return await _submit(info, document, MessageType.PROBE)

    @resolved
    async def report_equivocation(self, info: Info, document: Signed) -> Receipt:
        """Show that a log signed two checkpoints that contradict each other (a2ap:Equivocation)."""
        return await _submit(info, document, MessageType.EQUIVOCATION)

    @resolved
    async def set_admission_policy(self, info: Info, document: Signed) -> Receipt:
        """Say which agents are admitted, signed by the node's key (a2ap:AdmissionPolicy)."""
        return await _submit(info, document, MessageType.ADMISSION_POLICY)

    @resolved
    async def set_peer_agreement(self, info: Info, document: Signed) -> Receipt:
        """Agree with a peer on what is exchanged, signed by the node's key (a2ap:PeerAgreement)."""
        return await _submit(info, document, MessageType.PEER_AGREEMENT)

    @resolved
    async def rotate_log_key(self, info: Info, document: Signed) -> Receipt:
        """Change the log's key, signed by the node's key (a2ap:LogKeyRotation)."""
        return await _submit(info, document, MessageType.LOG_KEY_ROTATION)

    @resolved
    async def register_passport(
        self, info: Info, document: Signed, boundary: BoundaryName = None, registration: Registration = None
    ) -> list[Receipt]:
        """Hand in a Context Passport or an array of them; `registration` is a signed a2ap:RecordRegistration."""
        contents = [passport.data for passport in read_chain(_encode(document)).passports]
        return await register_records(info, RecordFormat.PASSPORT, contents, boundary, registration)

    @resolved
    async def register_pack(
        self,
        info: Info,
        manifest: PacketText,
        contents: PackContents,
        boundary: BoundaryName = None,
        registration: Registration = None,
    ) -> Receipt:
        """Hand in a Context Pack with all that its manifest names."""
        document, blobs = _encode(manifest), decode_contents(contents)
        (receipt,) = await register_records(info, RecordFormat.PACK, [document], boundary, registration, blobs)
        await list_packs(info.context.platform, [document])
        return receipt

    @resolved
    async def register_packet(
        self,
        info: Info,
        document: PacketText,
        boundary: BoundaryName = None,
        registration: Registration = None,
    ) -> Receipt:
        """Hand in a Context Packet."""
        return (await register_records(info, RecordFormat.PACKET, [_encode(document)], boundary, registration))[0]

    @resolved
    async def register_packet_record(
        self,
        info: Info,
        document: PacketText,
        boundary: BoundaryName = None,
        registration: Registration = None,
    ) -> Receipt:
        """Hand in a receipt, a return or a disposition of a Context Packet; it is put on record, and no more."""
        content = _encode(document)
        return (await register_records(info, format_of(content), [content], boundary, registration))[0]

    compute_consensus: Consensus = strawberry.mutation(
        resolver=compute_consensus,
        description="A2AP §4.3 by the method named, else the policy's; the stored score is kept current anyway.",
    )
    compute_reputation: Reputation = strawberry.mutation(
        resolver=compute_reputation,
        description="A2AP §6.3 by the method named, else the policy's; the stored one is kept current anyway.",
    )


async def _submit(info: Info, document: str, expected: MessageType) -> Receipt:
    receipt = await info.context.platform.submit(
        _encode(document),
        expected=expected,
        authenticated=info.context.reader.operator,
        clearance=info.context.reader.clearance,
    )
    return Receipt.from_receipt(receipt)


def _encode(document: str) -> bytes:
    try:
        return document.encode()
    except UnicodeEncodeError as error:
        raise InputError("the document has a lone surrogate, which is no character", "document") from error


def _decode(content: str) -> bytes:
    try:
        return base64.b64decode(content, validate=True)
    except (binascii.Error, ValueError) as error:
        raise InputError("the content is not base64", "contentBase64") from error


async def _pieces(content: bytes) -> AsyncIterator[bytes]:
    for start in range(0, len(content), _PIECE):
        yield content[start : start + _PIECE]
