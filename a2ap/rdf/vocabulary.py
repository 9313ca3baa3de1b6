"""The IRIs of RDF terms that others defined: those of PROV-O and a few more (docs/reference/provenance.md)."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

A2AP_NAMESPACE: Final = "https://williams-librarian.njit.edu/a2ap/v0.1#"
PROV_NAMESPACE: Final = "http://www.w3.org/ns/prov#"
SCHEMA_NAMESPACE: Final = "https://schema.org/"
SECURITY_NAMESPACE: Final = "https://w3id.org/security#"
NP_NAMESPACE: Final = "http://www.nanopub.org/nschema#"
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
    """Terms of RDF itself: the class of a thing, and lists."""

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
    PERSON: Final = PROV_NAMESPACE + "Person"
    PLAN: Final = PROV_NAMESPACE + "Plan"
    DERIVATION: Final = PROV_NAMESPACE + "Derivation"
    QUOTATION: Final = PROV_NAMESPACE + "Quotation"
    REVISION: Final = PROV_NAMESPACE + "Revision"
    USAGE: Final = PROV_NAMESPACE + "Usage"
    GENERATION: Final = PROV_NAMESPACE + "Generation"
    COMMUNICATION: Final = PROV_NAMESPACE + "Communication"
    ASSOCIATION: Final = PROV_NAMESPACE + "Association"

    WAS_ATTRIBUTED_TO: Final = PROV_NAMESPACE + "wasAttributedTo"
    WAS_GENERATED_BY: Final = PROV_NAMESPACE + "wasGeneratedBy"
    WAS_DERIVED_FROM: Final = PROV_NAMESPACE + "wasDerivedFrom"
    WAS_QUOTED_FROM: Final = PROV_NAMESPACE + "wasQuotedFrom"
    WAS_REVISION_OF: Final = PROV_NAMESPACE + "wasRevisionOf"
    WAS_INVALIDATED_BY: Final = PROV_NAMESPACE + "wasInvalidatedBy"
    WAS_ASSOCIATED_WITH: Final = PROV_NAMESPACE + "wasAssociatedWith"
    WAS_INFORMED_BY: Final = PROV_NAMESPACE + "wasInformedBy"
    USED: Final = PROV_NAMESPACE + "used"
    ACTED_ON_BEHALF_OF: Final = PROV_NAMESPACE + "actedOnBehalfOf"
    SPECIALIZATION_OF: Final = PROV_NAMESPACE + "specializationOf"
    GENERATED_AT_TIME: Final = PROV_NAMESPACE + "generatedAtTime"
    ENDED_AT_TIME: Final = PROV_NAMESPACE + "endedAtTime"
    QUALIFIED_DERIVATION: Final = PROV_NAMESPACE + "qualifiedDerivation"
    QUALIFIED_QUOTATION: Final = PROV_NAMESPACE + "qualifiedQuotation"
    QUALIFIED_REVISION: Final = PROV_NAMESPACE + "qualifiedRevision"
    QUALIFIED_USAGE: Final = PROV_NAMESPACE + "qualifiedUsage"
    QUALIFIED_GENERATION: Final = PROV_NAMESPACE + "qualifiedGeneration"
    QUALIFIED_COMMUNICATION: Final = PROV_NAMESPACE + "qualifiedCommunication"
    QUALIFIED_ASSOCIATION: Final = PROV_NAMESPACE + "qualifiedAssociation"
    HAD_PLAN: Final = PROV_NAMESPACE + "hadPlan"
    HAS_AGENT: Final = PROV_NAMESPACE + "agent"
    HAS_ENTITY: Final = PROV_NAMESPACE + "entity"
    HAS_ACTIVITY: Final = PROV_NAMESPACE + "activity"


class NP:
    """The frame of a nanopublication."""

    NANOPUBLICATION: Final = NP_NAMESPACE + "Nanopublication"
    HAS_ASSERTION: Final = NP_NAMESPACE + "hasAssertion"
    HAS_PROVENANCE: Final = NP_NAMESPACE + "hasProvenance"
    HAS_PUBLICATION_INFO: Final = NP_NAMESPACE + "hasPublicationInfo"


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
