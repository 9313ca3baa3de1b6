"""Mutations of one message each, given as its signed text, so that its bytes are kept."""

import strawberry

from a2ap.messages.message import MessageType
from graph.graphql.arguments import Signed
from graph.graphql.context import Info
from graph.graphql.submission import SubmissionResult, mutated, submit


@strawberry.type(description="Mutations that submit one signed message.")
class MessageMutations:
    """One mutation for each type of message without accompanying bytes."""

    @mutated
    async def register_agent(self, info: Info, document: Signed) -> SubmissionResult | None:
        """Register an agent with its key (a2ap:AgentRegistration)."""
        return await submit(info, document, MessageType.AGENT_REGISTRATION)

    @mutated
    async def endorse(self, info: Info, document: Signed) -> SubmissionResult | None:
        """Endorse an agent (a2ap:Endorsement)."""
        return await submit(info, document, MessageType.ENDORSEMENT)

    @mutated
    async def submit_statement(self, info: Info, document: Signed) -> SubmissionResult | None:
        """Submit a statement (a2ap:ProvenanceStatement)."""
        return await submit(info, document, MessageType.STATEMENT)

    @mutated
    async def request_verification(self, info: Info, document: Signed) -> SubmissionResult | None:
        """Request the verification of a statement (a2ap:VerificationRequest)."""
        return await submit(info, document, MessageType.VERIFICATION_REQUEST)

    @mutated
    async def submit_verification(self, info: Info, document: Signed) -> SubmissionResult | None:
        """Submit a verdict on a statement (a2ap:VerificationResponse)."""
        return await submit(info, document, MessageType.VERIFICATION_RESPONSE)

    @mutated
    async def set_policy(self, info: Info, document: Signed) -> SubmissionResult | None:
        """Set the policy of this node, signed by its key (a2ap:Policy)."""
        return await submit(info, document, MessageType.POLICY)

    @mutated
    async def register_key(self, info: Info, document: Signed) -> SubmissionResult | None:
        """Register another key of an agent (a2ap:KeyRegistration)."""
        return await submit(info, document, MessageType.KEY_REGISTRATION)

    @mutated
    async def revoke_key(self, info: Info, document: Signed) -> SubmissionResult | None:
        """Revoke a key of an agent (a2ap:KeyRevocation)."""
        return await submit(info, document, MessageType.KEY_REVOCATION)

    @mutated
    async def deactivate_agent(self, info: Info, document: Signed) -> SubmissionResult | None:
        """Deactivate an agent: no later message of it is accepted (a2ap:AgentDeactivation)."""
        return await submit(info, document, MessageType.AGENT_DEACTIVATION)

    @mutated
    async def announce_version(self, info: Info, document: Signed) -> SubmissionResult | None:
        """Announce an agent as a version of a family (a2ap:AgentVersion)."""
        return await submit(info, document, MessageType.AGENT_VERSION)

    @mutated
    async def retract(self, info: Info, document: Signed) -> SubmissionResult | None:
        """Retract the agent's own statement, verdict, gold label or dispute (a2ap:Retraction)."""
        return await submit(info, document, MessageType.RETRACTION)

    @mutated
    async def decline_verification(self, info: Info, document: Signed) -> SubmissionResult | None:
        """Decline a verification request, with the reason (a2ap:VerificationDecline)."""
        return await submit(info, document, MessageType.VERIFICATION_DECLINE)

    @mutated
    async def answer_challenge(self, info: Info, document: Signed) -> SubmissionResult | None:
        """Answer a challenge of the agent's own statement (a2ap:ChallengeAnswer)."""
        return await submit(info, document, MessageType.CHALLENGE_ANSWER)

    @mutated
    async def redact(self, info: Info, document: Signed) -> SubmissionResult | None:
        """Erase disclosures of a message or text of a source (a2ap:Redaction)."""
        return await submit(info, document, MessageType.REDACTION)

    @mutated
    async def label_gold(self, info: Info, document: Signed) -> SubmissionResult | None:
        """Label a statement with a known answer, signed by the node's key (a2ap:GoldLabel); `retract` withdraws it."""
        return await submit(info, document, MessageType.GOLD_LABEL)

    @mutated
    async def dispute_gold(self, info: Info, document: Signed) -> SubmissionResult | None:
        """Dispute a gold label (a2ap:GoldDispute)."""
        return await submit(info, document, MessageType.GOLD_DISPUTE)

    @mutated
    async def commit_probes(self, info: Info, document: Signed) -> SubmissionResult | None:
        """Commit to the answers of probes before verifiers see them, signed by the node's key (a2ap:Probe)."""
        return await submit(info, document, MessageType.PROBE)

    @mutated
    async def report_equivocation(self, info: Info, document: Signed) -> SubmissionResult | None:
        """Report two checkpoints of a log that contradict each other (a2ap:Equivocation)."""
        return await submit(info, document, MessageType.EQUIVOCATION)

    @mutated
    async def set_admission_policy(self, info: Info, document: Signed) -> SubmissionResult | None:
        """Set the conditions of admission of agents, signed by the node's key (a2ap:AdmissionPolicy)."""
        return await submit(info, document, MessageType.ADMISSION_POLICY)

    @mutated
    async def set_peer_agreement(self, info: Info, document: Signed) -> SubmissionResult | None:
        """Agree with a peer on the content to exchange, signed by the node's key (a2ap:PeerAgreement)."""
        return await submit(info, document, MessageType.PEER_AGREEMENT)

    @mutated
    async def rotate_log_key(self, info: Info, document: Signed) -> SubmissionResult | None:
        """Rotate the key of the log, signed by the node's key (a2ap:LogKeyRotation)."""
        return await submit(info, document, MessageType.LOG_KEY_ROTATION)

    @mutated
    async def record_epoch(self, info: Info, document: Signed) -> SubmissionResult | None:
        """Record estimated reliabilities, signed by the node's key (a2ap:Epoch)."""
        return await submit(info, document, MessageType.EPOCH)

    @mutated
    async def record_peer_checkpoint(self, info: Info, document: Signed) -> SubmissionResult | None:
        """Record a checkpoint that a peer's log has signed, signed by the node's key (a2ap:PeerCheckpoint)."""
        return await submit(info, document, MessageType.PEER_CHECKPOINT)
