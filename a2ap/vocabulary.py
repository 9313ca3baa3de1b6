"""The IRIs of the RDF that we write: PROV-O, our own terms, and the few borrowed ones; see `docs/provenance.md`."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

A2AP_NAMESPACE: Final = "https://williams-librarian.njit.edu/a2ap/v0.1#"
PROV_NAMESPACE: Final = "http://www.w3.org/ns/prov#"
SCHEMA_NAMESPACE: Final = "https://schema.org/"
SECURITY_NAMESPACE: Final = "https://w3id.org/security#"
XSD_NAMESPACE: Final = "http://www.w3.org/2001/XMLSchema#"
RDF_NAMESPACE: Final = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"

PREFIXES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "a2ap": A2AP_NAMESPACE,
        "prov": PROV_NAMESPACE,
        "rdf": RDF_NAMESPACE,
        "schema": SCHEMA_NAMESPACE,
        "sec": SECURITY_NAMESPACE,
        "xsd": XSD_NAMESPACE,
    }
)


class RDF:
    """What RDF itself needs: the class of a thing, and lists."""

    TYPE: Final = RDF_NAMESPACE + "type"
    FIRST: Final = RDF_NAMESPACE + "first"
    REST: Final = RDF_NAMESPACE + "rest"
    NIL: Final = RDF_NAMESPACE + "nil"


class XSD:
    """The datatypes of our literals."""

    STRING: Final = XSD_NAMESPACE + "string"
    DECIMAL: Final = XSD_NAMESPACE + "decimal"
    INTEGER: Final = XSD_NAMESPACE + "integer"
    BOOLEAN: Final = XSD_NAMESPACE + "boolean"
    DATE_TIME: Final = XSD_NAMESPACE + "dateTime"


class PROV:
    """Classes and properties of the W3C Recommendation PROV-O that we use."""

    ENTITY: Final = PROV_NAMESPACE + "Entity"
    ACTIVITY: Final = PROV_NAMESPACE + "Activity"
    AGENT: Final = PROV_NAMESPACE + "Agent"
    SOFTWARE_AGENT: Final = PROV_NAMESPACE + "SoftwareAgent"
    PLAN: Final = PROV_NAMESPACE + "Plan"
    DERIVATION: Final = PROV_NAMESPACE + "Derivation"
    QUOTATION: Final = PROV_NAMESPACE + "Quotation"
    REVISION: Final = PROV_NAMESPACE + "Revision"

    WAS_ATTRIBUTED_TO: Final = PROV_NAMESPACE + "wasAttributedTo"
    WAS_GENERATED_BY: Final = PROV_NAMESPACE + "wasGeneratedBy"
    WAS_DERIVED_FROM: Final = PROV_NAMESPACE + "wasDerivedFrom"
    WAS_QUOTED_FROM: Final = PROV_NAMESPACE + "wasQuotedFrom"
    WAS_REVISION_OF: Final = PROV_NAMESPACE + "wasRevisionOf"
    WAS_INVALIDATED_BY: Final = PROV_NAMESPACE + "wasInvalidatedBy"
    WAS_ASSOCIATED_WITH: Final = PROV_NAMESPACE + "wasAssociatedWith"
    USED: Final = PROV_NAMESPACE + "used"
    ACTED_ON_BEHALF_OF: Final = PROV_NAMESPACE + "actedOnBehalfOf"
    SPECIALIZATION_OF: Final = PROV_NAMESPACE + "specializationOf"
    GENERATED_AT_TIME: Final = PROV_NAMESPACE + "generatedAtTime"
    ENDED_AT_TIME: Final = PROV_NAMESPACE + "endedAtTime"
    QUALIFIED_DERIVATION: Final = PROV_NAMESPACE + "qualifiedDerivation"
    QUALIFIED_QUOTATION: Final = PROV_NAMESPACE + "qualifiedQuotation"
    QUALIFIED_REVISION: Final = PROV_NAMESPACE + "qualifiedRevision"
    HAS_ENTITY: Final = PROV_NAMESPACE + "entity"


class A2AP:
    """Our own classes and properties, for what neither PROV-O nor schema.org has a word."""

    PROVENANCE_STATEMENT: Final = A2AP_NAMESPACE + "ProvenanceStatement"
    VERIFICATION_REQUEST: Final = A2AP_NAMESPACE + "VerificationRequest"
    VERIFICATION_RESPONSE: Final = A2AP_NAMESPACE + "VerificationResponse"
    AGENT_REGISTRATION: Final = A2AP_NAMESPACE + "AgentRegistration"
    SOURCE_REGISTRATION: Final = A2AP_NAMESPACE + "SourceRegistration"
    ENDORSEMENT: Final = A2AP_NAMESPACE + "Endorsement"
    POLICY: Final = A2AP_NAMESPACE + "Policy"
    KEY_REGISTRATION: Final = A2AP_NAMESPACE + "KeyRegistration"
    KEY_REVOCATION: Final = A2AP_NAMESPACE + "KeyRevocation"
    AGENT_DEACTIVATION: Final = A2AP_NAMESPACE + "AgentDeactivation"
    AGENT_VERSION: Final = A2AP_NAMESPACE + "AgentVersion"
    ADMISSION_POLICY: Final = A2AP_NAMESPACE + "AdmissionPolicy"
    LOG_KEY_ROTATION: Final = A2AP_NAMESPACE + "LogKeyRotation"
    PEER_AGREEMENT: Final = A2AP_NAMESPACE + "PeerAgreement"
    PEER_CHECKPOINT: Final = A2AP_NAMESPACE + "PeerCheckpoint"
    EQUIVOCATION: Final = A2AP_NAMESPACE + "Equivocation"
    RETRACTION: Final = A2AP_NAMESPACE + "Retraction"
    REDACTION: Final = A2AP_NAMESPACE + "Redaction"

    CLAIM_CLASS: Final = A2AP_NAMESPACE + "Claim"
    EVIDENCE_SEGMENT: Final = A2AP_NAMESPACE + "EvidenceSegment"
    CHUNK: Final = A2AP_NAMESPACE + "Chunk"
    DOCUMENT: Final = A2AP_NAMESPACE + "Document"
    SOURCE_CLASS: Final = A2AP_NAMESPACE + "Source"
    FINDING: Final = A2AP_NAMESPACE + "Finding"
    SUPPORT: Final = A2AP_NAMESPACE + "Support"
    CONTRADICTION: Final = A2AP_NAMESPACE + "Contradiction"
    KEY_CLASS: Final = A2AP_NAMESPACE + "Key"
    CRYPTOGRAPHIC_SIGNATURE: Final = A2AP_NAMESPACE + "CryptographicSignature"

    CAPABILITY: Final = A2AP_NAMESPACE + "capability"
    CLAIM: Final = A2AP_NAMESPACE + "claim"
    CONFIDENCE: Final = A2AP_NAMESPACE + "confidence"
    GENERATION_METHOD: Final = A2AP_NAMESPACE + "generationMethod"
    CONTENT_HASH: Final = A2AP_NAMESPACE + "contentHash"

    EVIDENCE: Final = A2AP_NAMESPACE + "evidence"
    SOURCE_DOCUMENT: Final = A2AP_NAMESPACE + "sourceDocument"
    DOCUMENT_HASH: Final = A2AP_NAMESPACE + "documentHash"
    BYTE_RANGE: Final = A2AP_NAMESPACE + "byteRange"
    BYTE_START: Final = A2AP_NAMESPACE + "byteStart"
    BYTE_END: Final = A2AP_NAMESPACE + "byteEnd"
    TIMESTAMP: Final = A2AP_NAMESPACE + "timestamp"
    TIMESTAMP_START: Final = A2AP_NAMESPACE + "timestampStart"
    TIMESTAMP_END: Final = A2AP_NAMESPACE + "timestampEnd"
    START_MILLISECONDS: Final = A2AP_NAMESPACE + "startMilliseconds"
    END_MILLISECONDS: Final = A2AP_NAMESPACE + "endMilliseconds"
    QUOTE_TEXT: Final = A2AP_NAMESPACE + "quoteText"
    QUOTE_TEXT_DIGEST: Final = A2AP_NAMESPACE + "quoteTextDigest"
    RELEVANCE_SCORE: Final = A2AP_NAMESPACE + "relevanceScore"

    SUPPORTS: Final = A2AP_NAMESPACE + "supports"
    CONTRADICTS: Final = A2AP_NAMESPACE + "contradicts"
    QUALIFIED_SUPPORT: Final = A2AP_NAMESPACE + "qualifiedSupport"
    QUALIFIED_CONTRADICTION: Final = A2AP_NAMESPACE + "qualifiedContradiction"
    TARGET_STATEMENT: Final = A2AP_NAMESPACE + "targetStatement"
    TARGET_HASH: Final = A2AP_NAMESPACE + "targetHash"

    CRITERIA: Final = A2AP_NAMESPACE + "criteria"
    VERDICT: Final = A2AP_NAMESPACE + "verdict"
    REASON: Final = A2AP_NAMESPACE + "reason"
    REASON_DIGEST: Final = A2AP_NAMESPACE + "reasonDigest"
    FINDINGS: Final = A2AP_NAMESPACE + "findings"
    CRITERION: Final = A2AP_NAMESPACE + "criterion"
    STATUS: Final = A2AP_NAMESPACE + "status"
    FINDING_EVIDENCE: Final = A2AP_NAMESPACE + "findingEvidence"
    FINDING_EVIDENCE_DIGEST: Final = A2AP_NAMESPACE + "findingEvidenceDigest"

    KEY: Final = A2AP_NAMESPACE + "key"
    PUBLIC_KEY: Final = A2AP_NAMESPACE + "publicKey"
    KEY_ALIAS: Final = A2AP_NAMESPACE + "keyAlias"
    RECOVERY_KEY_HASH: Final = A2AP_NAMESPACE + "recoveryKeyHash"
    SOURCE: Final = A2AP_NAMESPACE + "source"
    REGISTERED_DOCUMENT: Final = A2AP_NAMESPACE + "registeredDocument"
    BOUNDARY: Final = A2AP_NAMESPACE + "boundary"
    ORIGIN: Final = A2AP_NAMESPACE + "origin"
    BYTE_LENGTH: Final = A2AP_NAMESPACE + "byteLength"
    ENDORSED_AGENT: Final = A2AP_NAMESPACE + "endorsedAgent"
    THRESHOLD: Final = A2AP_NAMESPACE + "threshold"
    QUORUM: Final = A2AP_NAMESPACE + "quorum"
    SEED: Final = A2AP_NAMESPACE + "seed"
    CONSENSUS_METHOD: Final = A2AP_NAMESPACE + "consensusMethod"
    UNSEEDED_WEIGHT: Final = A2AP_NAMESPACE + "unseededWeight"
    POSSESSION: Final = A2AP_NAMESPACE + "possession"
    REPLACES_KEY: Final = A2AP_NAMESPACE + "replacesKey"
    REVOKED_KEY: Final = A2AP_NAMESPACE + "revokedKey"
    CONCERNED_AGENT: Final = A2AP_NAMESPACE + "concernedAgent"
    NOT_TRUSTED_SINCE: Final = A2AP_NAMESPACE + "notTrustedSince"
    LOG_INDEX: Final = A2AP_NAMESPACE + "logIndex"
    RECEIVED_AT: Final = A2AP_NAMESPACE + "receivedAt"
    FAMILY: Final = A2AP_NAMESPACE + "family"
    LOG_KEY: Final = A2AP_NAMESPACE + "logKey"
    ADMISSION_MODE: Final = A2AP_NAMESPACE + "admissionMode"
    ALLOWED_AGENT: Final = A2AP_NAMESPACE + "allowedAgent"
    INVITATION_HASH: Final = A2AP_NAMESPACE + "invitationHash"
    LOG_ORIGIN: Final = A2AP_NAMESPACE + "logOrigin"
    NOTE: Final = A2AP_NAMESPACE + "note"
    URL: Final = A2AP_NAMESPACE + "url"
    TRANSPORT_KEY: Final = A2AP_NAMESPACE + "transportKey"
    CLEARANCE: Final = A2AP_NAMESPACE + "clearance"
    QUOTA: Final = A2AP_NAMESPACE + "quota"
    ENTRIES_PER_PULL: Final = A2AP_NAMESPACE + "entriesPerPull"
    BYTES_PER_DAY: Final = A2AP_NAMESPACE + "bytesPerDay"
    SUSPENDED: Final = A2AP_NAMESPACE + "suspended"
    CHECKPOINT: Final = A2AP_NAMESPACE + "checkpoint"
    CHECKPOINTS: Final = A2AP_NAMESPACE + "checkpoints"
    CONSISTENCY_PROOF: Final = A2AP_NAMESPACE + "consistencyProof"
    SUCCESSIONS: Final = A2AP_NAMESPACE + "successions"
    TARGET_MESSAGE: Final = A2AP_NAMESPACE + "targetMessage"
    TARGET_TYPE: Final = A2AP_NAMESPACE + "targetType"
    BYTE_RANGES: Final = A2AP_NAMESPACE + "byteRanges"
    DISCLOSURE_DIGEST: Final = A2AP_NAMESPACE + "disclosureDigest"
    REDACTED_DOCUMENT_HASH: Final = A2AP_NAMESPACE + "redactedDocumentHash"
    LEGAL_BASIS: Final = A2AP_NAMESPACE + "legalBasis"
    RETAIN_UNTIL: Final = A2AP_NAMESPACE + "retainUntil"

    SIGNATURE: Final = A2AP_NAMESPACE + "signature"
    ALGORITHM: Final = A2AP_NAMESPACE + "algorithm"
    SIGNATURE_VALUE: Final = A2AP_NAMESPACE + "signatureValue"


class SCHEMA:
    """Terms of schema.org that really exist there; the specification's `@vocab` names it."""

    NAME: Final = SCHEMA_NAMESPACE + "name"
    VERSION: Final = SCHEMA_NAMESPACE + "version"
    PUBLISHER: Final = SCHEMA_NAMESPACE + "publisher"
    TEXT: Final = SCHEMA_NAMESPACE + "text"
    ENCODING_FORMAT: Final = SCHEMA_NAMESPACE + "encodingFormat"
    LICENSE: Final = SCHEMA_NAMESPACE + "license"
    COPYRIGHT_HOLDER: Final = SCHEMA_NAMESPACE + "copyrightHolder"


class SECURITY:
    """Terms of the W3C security vocabulary."""

    VERIFICATION_METHOD: Final = SECURITY_NAMESPACE + "verificationMethod"
    CONTROLLER: Final = SECURITY_NAMESPACE + "controller"
