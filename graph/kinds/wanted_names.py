"""The names that a batch of messages refers to, by kind."""

from collections.abc import Sequence
from datetime import datetime

from a2ap.messages.admission_policy import invitation_hash
from a2ap.messages.agent_deactivation import AgentDeactivation
from a2ap.messages.agent_registration import AgentRegistration
from a2ap.messages.agent_version import AgentVersion
from a2ap.messages.challenge_answer import ChallengeAnswer
from a2ap.messages.endorsement import Endorsement
from a2ap.messages.epoch import Epoch
from a2ap.messages.equivocation import Equivocation
from a2ap.messages.gold_dispute import GoldDispute
from a2ap.messages.gold_label import GoldLabel
from a2ap.messages.key_registration import KeyRegistration
from a2ap.messages.key_revocation import KeyRevocation
from a2ap.messages.message import Message
from a2ap.messages.peer_checkpoint import PeerCheckpoint
from a2ap.messages.policy import Policy
from a2ap.messages.record_registration import RecordRegistration
from a2ap.messages.redaction import Redaction
from a2ap.messages.retraction import Retraction
from a2ap.messages.source_registration import SourceRegistration
from a2ap.messages.statement import ProvenanceStatement
from a2ap.messages.verification_decline import VerificationDecline
from a2ap.messages.verification_request import VerificationRequest
from a2ap.messages.verification_response import VerificationResponse
from graph.versions.membership import stated_family


class WantedNames:
    """The names that a batch refers to, by kind."""

    def __init__(self) -> None:
        self.hashes: set[str] = set()
        self.ids: set[str] = set()
        self.agents: set[str] = set()
        self.keys: set[str] = set()
        self.target_ids: set[str] = set()
        self.documents: set[str] = set()
        self.registered: set[str] = set()
        self.sources: set[str] = set()
        self.targets: set[str] = set()
        self.requests: set[str] = set()
        self.contradicting: set[str] = set()
        self.redacted: set[str] = set()
        self.invitations: set[str] = set()
        self.times: set[datetime] = set()
        self.members: set[str] = set()
        self.families: set[str] = set()
        self.origins: set[str] = set()
        self.gold: set[str] = set()
        self.gold_disputes: set[str] = set()
        self.probes: set[str] = set()
        self.revealed: set[str] = set()
        self.cited: set[str] = set()
        self.epochs = False

    @classmethod
    def of(cls, messages: Sequence[Message]) -> "WantedNames":
        """Return the names in these messages."""
        wanted = cls()
        for message in messages:
            wanted.add(message)
        return wanted

    @property
    def messages(self) -> set[str]:
        """The ids and hashes of other messages."""
        return set().union(
            self.target_ids,
            self.targets,
            self.cited,
            self.contradicting,
            self.gold,
            self.gold_disputes,
            self.requests,
            self.revealed,
        )

    def add(self, message: Message) -> None:
        """Add the names in one more message."""
        envelope = message.envelope
        self.hashes.add(envelope.signed_hash)
        self.ids.add(envelope.id)
        self.agents.add(envelope.agent_id)
        if envelope.signature is not None:
            self.keys.add(envelope.signature.public_key)
        self.keys.update(proof.key_reference for proof in envelope.proofs)
        self._add_family(message)
        match message:
            case ProvenanceStatement():
                revised = (message.was_revision_of,) if message.was_revision_of else ()
                for reference in (*message.supports, *message.contradicts, *revised):
                    self.target_ids.add(reference.id)
                self.documents.update(s.document_hash for s in message.evidence if s.document_hash)
                self.sources.update(s.source_document for s in message.evidence if not s.document_hash)
            case VerificationRequest():
                self.target_ids.add(message.target_statement)
            case VerificationResponse():
                self._add_response(message)
            case VerificationDecline():
                self.target_ids.add(message.target_statement)
                self.requests.add(message.request_hash)
            case ChallengeAnswer():
                self.targets.add(message.target_hash)
            case GoldLabel():
                self.target_ids.add(message.target_statement)
                self.gold_disputes.update(message.answers)
                if message.probe is not None:
                    self.probes.add(message.probe.commitment)
                    self.revealed.add(message.target_hash)
            case GoldDispute():
                self.gold.add(message.target_hash)
                self.targets.add(message.target_hash)
                self.cited.update(message.evidence)
            case SourceRegistration() | RecordRegistration():
                self.documents.add(message.document_hash)
                self.registered.add(message.document_hash)
            case Retraction():
                self.target_ids.add(message.target_message)
                self.targets.add(message.target_hash)
                self.gold.add(message.target_hash)
                self.gold_disputes.add(message.target_hash)
            case Redaction():
                if message.target_hash is not None:
                    self.hashes.add(message.target_hash)
                    self.redacted.add(message.target_hash)
                if message.document_hash is not None:
                    self.documents.add(message.document_hash)
            case Endorsement():
                self.agents.add(message.endorsed_agent)
            case AgentRegistration() if message.invitation is not None:
                self.invitations.add(invitation_hash(message.invitation))
            case KeyRegistration():
                self.keys.update({message.key_id, message.public_key.did_key, *message.replaces})
                if message.alias is not None:
                    self.keys.add(message.alias)
            case KeyRevocation():
                self.agents.add(message.agent)
                self.keys.add(message.key_id)
                if message.not_trusted_since_time is not None:
                    self.times.add(message.not_trusted_since_time)
            case AgentDeactivation():
                self.agents.add(message.agent)
            case Policy():
                self.agents.update(message.seeds)
            case Epoch():
                self.epochs = True
            case PeerCheckpoint() | Equivocation():
                self.origins.add(message.origin)
            case _:
                pass

    def _add_response(self, message: VerificationResponse) -> None:
        self.target_ids.add(message.target_statement)
        self.target_ids.update(reference.id for reference in message.cross_references)
        if message.request is not None:
            self.requests.add(message.request.target_hash)
        if message.supersedes is not None:
            self.targets.add(message.supersedes.target_hash)
        if message.counter_statement is not None:
            self.target_ids.add(message.counter_statement.id)
            self.contradicting.add(message.counter_statement.target_hash)

    def _add_family(self, message: Message) -> None:
        match message:
            case AgentRegistration():
                family = stated_family(message.agent)
                if family is None:
                    return
            case AgentVersion():
                family = message.family
                self.agents.add(message.agent)
                self.members.update({message.agent, message.envelope.agent_id})
            case _:
                return
        self.agents.add(family)
        self.families.add(family)
