"""The words of a Context Packet, each list in the order of the text; boundary classes and uses are `a2ap.boundary`."""

from enum import StrEnum

SPEC = "context-packet/0.3"  # §4.1: exactly this, under a title that says v0.4.0


class Level(StrEnum):
    """The conformance levels (§12), each with all of the one before; `rank` follows that order."""

    CORE = "CP-Core"
    GOVERNED = "CP-Governed"
    AUDITED = "CP-Audited"

    @property
    def rank(self) -> int:
        """Return 0 for CP-Core."""
        return tuple(Level).index(self)


class ProducerType(StrEnum):
    """The kinds of assembler of a packet (§4.1)."""

    ASSEMBLER = "assembler"
    AGENT = "agent"
    HUMAN = "human"
    GATEWAY = "gateway"
    WORKFLOW = "workflow"
    SYSTEM = "system"


class GovernorMode(StrEnum):
    """The modes of a governor (§4.1)."""

    ADVISORY = "advisory"
    ENFORCE = "enforce"
    HUMAN_REVIEW = "human_review"
    AUDIT_ONLY = "audit_only"


class PacketType(StrEnum):
    """The purposes of a packet (§10); others may be defined."""

    SESSION_CONTINUITY = "session_continuity"
    CODE_BUILD = "code_build"
    RESEARCH = "research"
    PRODUCT_STRATEGY = "product_strategy"
    CLIENT_PROJECT = "client_project"
    MEMORY_COMPILER = "memory_compiler"
    GOVERNANCE_REVIEW = "governance_review"
    HANDOFF = "handoff"


class StalenessPolicy(StrEnum):
    """The policies for a world that may have moved (§4.1), from the least careful to the most."""

    USE_AS_IS = "use_as_is"
    REVALIDATE_BEFORE_ACTION = "revalidate_before_action"
    REFUSE_IF_STALE = "refuse_if_stale"


class Kind(StrEnum):
    """The role of an item in the task (§5.1)."""

    FACT = "fact"
    DECISION = "decision"
    HYPOTHESIS = "hypothesis"
    INSTRUCTION = "instruction"
    CONSTRAINT = "constraint"
    ARTIFACT_REF = "artifact_ref"
    OPEN_QUESTION = "open_question"
    CAUTION = "caution"
    PROCEDURE = "procedure"
    PREFERENCE = "preference"
    VERDICT = "verdict"
    METRIC = "metric"
    EVENT = "event"


class EpistemicStatus(StrEnum):
    """The standing of an item as knowledge (§5.1)."""

    FACT = "fact"
    DECISION = "decision"
    HYPOTHESIS = "hypothesis"
    OPEN = "open"
    SUPERSEDED = "superseded"
    CORRECTED = "corrected"
    CONTESTED = "contested"
    SPECULATIVE = "speculative"
    UNKNOWN = "unknown"


class PromotionState(StrEnum):
    """The standing of an item with the workspace's promotion authority (§5.1)."""

    DERIVED = "derived"
    PROPOSED = "proposed"
    CONFIRMED = "confirmed"
    REJECTED = "rejected"
    SUPERSEDED = "superseded"


class Degree(StrEnum):
    """How sure a claim is, or how much depends on it (§5.1: `confidence`, `stakes`), in ascending order."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


class Trust(StrEnum):
    """The origin of content (§5.1)."""

    INTERNAL = "internal"
    EXTERNAL = "external"
    VERIFIED_EXTERNAL = "verified_external"
    CLIENT_PROVIDED = "client_provided"
    AGENT_GENERATED = "agent_generated"
    SYSTEM_GENERATED = "system_generated"
    UNKNOWN = "unknown"


# §5.3: content that originates outside the workspace carries one of these.
EXTERNAL_TRUST = frozenset({Trust.EXTERNAL, Trust.VERIFIED_EXTERNAL, Trust.CLIENT_PROVIDED, Trust.UNKNOWN})

AUTHOR_PREFIXES = ("human:", "agent:", "system:", "org:", "unknown:")


class BranchStatus(StrEnum):
    """The branch of the substrate on which an item stands (§5.1)."""

    CANONICAL = "canonical"
    BRANCH = "branch"
    FORK = "fork"
    ABANDONED = "abandoned"
    MERGED = "merged"
    EXPERIMENTAL = "experimental"


class ExclusionReason(StrEnum):
    """The reasons for an exclusion (§8, "common reasons"); others may be given."""

    BOUNDARY = "boundary"
    EXPIRED = "expired"
    SUPERSEDED = "superseded"
    IRRELEVANT = "irrelevant"
    LOW_CONFIDENCE = "low_confidence"
    REQUIRES_HUMAN_REVIEW = "requires_human_review"
    TOKEN_BUDGET = "token_budget"
    POLICY = "policy"


class ReceiptEvent(StrEnum):
    """The events that a receipt records (§9, "may include"); `a2ap.traced` is ours, for the trace that §11 requires."""

    ASSEMBLED = "assembled"
    VALIDATED = "validated"
    DELIVERED = "delivered"
    OPENED = "opened"
    USED = "used"
    FORWARDED = "forwarded"
    EXPIRED = "expired"
    REJECTED = "rejected"
    OUTPUT_EMITTED = "output_emitted"
    MEMORY_UPDATE_PROPOSED = "memory_update_proposed"
    TRACED = "a2ap.traced"


class Outcome(StrEnum):
    """The outcomes of a return under governance (§11.1)."""

    PROMOTED = "promoted"
    REJECTED = "rejected"
    SUPERSEDED = "superseded"
    ESCALATED = "escalated"


class HashAlgorithm(StrEnum):
    """The hash algorithms of a packet (§4.3)."""

    BLAKE2B_256 = "blake2b-256"
    SHA_256 = "sha-256"

    @property
    def prefix(self) -> str:
        """Return the prefix of the 64 digits; the text shows only `b2:`."""
        return "b2:" if self is HashAlgorithm.BLAKE2B_256 else "sha256:"


CANONICALIZER = "cpk-canon/1"

# Names by which a value of one of the lists above may be called by mistake for another (§2.1).
AXES: dict[str, type[StrEnum]] = {
    "kind": Kind,
    "epistemic_status": EpistemicStatus,
    "promotion_state": PromotionState,
}

# Members of a packet in the order of the text, which is not that of values with defaults.
ORDER = (
    "spec",
    "packet_id",
    "created_at",
    "producer",
    "governor",
    "recipient",
    "purpose",
    "task_ref",
    "packet_type",
    "scope",
    "budget",
    "lineage",
    "reproducibility",
    "temporal_policy",
    "items",
    "open_loops",
    "exclusions",
    "receipts",
    "return_contract",
    "ext",
)
