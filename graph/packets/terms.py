"""The uses that a packet allows and disallows, read strictly."""

from a2ap.boundary import Use, UseTerms
from a2ap.packet.document import Members, PacketDocument, texts_of
from a2ap.packet.extensions import mappings_of, read_use


def terms_of(document: PacketDocument) -> UseTerms:
    """Return the uses that a packet allows and disallows; an unknown word allows nothing."""
    scope = document.part("scope")
    mappings = mappings_of(document.members)
    allowed, disallowed = (
        tuple(use for word in texts_of(scope, name) if (use := read_use(word, mappings)) is not None)
        for name in ("allowed_use", "disallowed_use")
    )
    return UseTerms(
        allowed if isinstance(scope.get("allowed_use"), list) else None,
        # A prohibition that cannot be read may mean anything above reading.
        (*disallowed, Use.DRAFT_ONLY) if _has_unread(scope, mappings) else disallowed,
    )


def _has_unread(scope: Members, mappings: dict[str, str]) -> bool:
    return any(read_use(word, mappings) is None for word in texts_of(scope, "disallowed_use"))
