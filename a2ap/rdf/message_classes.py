"""The classes of messages, and of the objects of their properties, in PROV-O and our own terms."""

from a2ap.messages.envelope import MessageType
from a2ap.rdf.own_vocabulary import A2AP
from a2ap.rdf.vocabulary import A2AP_NAMESPACE, PROV

ACTIVITIES = (
    MessageType.VERIFICATION_RESPONSE,
    MessageType.VERIFICATION_DECLINE,
    MessageType.RETRACTION,
    MessageType.REDACTION,
)
"""The types of message that are activities; all others are entities."""

PLANS = (MessageType.POLICY, MessageType.ADMISSION_POLICY, MessageType.PEER_AGREEMENT)
"""The types of message that are plans besides."""


def _classes_of(type: MessageType) -> tuple[str, ...]:
    return (PROV.ACTIVITY if type in ACTIVITIES else PROV.ENTITY, *([PROV.PLAN] if type in PLANS else []))


MESSAGE_CLASSES = {A2AP_NAMESPACE + type.value: _classes_of(type) for type in MessageType}
RANGES = {
    PROV.WAS_ATTRIBUTED_TO: (PROV.AGENT,),
    PROV.WAS_ASSOCIATED_WITH: (PROV.AGENT,),
    A2AP.ENDORSED_AGENT: (PROV.AGENT,),
    A2AP.SEED: (PROV.AGENT,),
    A2AP.CLAIM: (A2AP.CLAIM_CLASS,),
    A2AP.SIGNATURE: (A2AP.CRYPTOGRAPHIC_SIGNATURE,),
    A2AP.KEY: (A2AP.KEY_CLASS,),
    A2AP.SOURCE: (A2AP.SOURCE_CLASS, PROV.ENTITY),
    A2AP.SOURCE_DOCUMENT: (A2AP.SOURCE_CLASS, PROV.ENTITY),
    A2AP.REGISTERED_DOCUMENT: (A2AP.DOCUMENT, PROV.ENTITY),
    A2AP.TARGET_STATEMENT: (PROV.ENTITY,),
    A2AP.POSSESSION: (A2AP.CRYPTOGRAPHIC_SIGNATURE,),
    A2AP.REPLACES_KEY: (A2AP.KEY_CLASS,),
    A2AP.REVOKED_KEY: (A2AP.KEY_CLASS,),
    A2AP.CONCERNED_AGENT: (PROV.AGENT,),
    A2AP.FAMILY: (PROV.AGENT,),
    A2AP.ALLOWED_AGENT: (PROV.AGENT,),
    A2AP.LOG_ORIGIN: (PROV.AGENT,),
    A2AP.ELIGIBLE_VERIFIER: (PROV.AGENT,),
    A2AP.ANSWERED_REQUEST: (PROV.ENTITY,),
    A2AP.TARGET_VERIFICATION: (PROV.ACTIVITY,),
    A2AP.TARGET_LABEL: (PROV.ENTITY,),
    PROV.HAS_ACTIVITY: (PROV.ACTIVITY,),
}
