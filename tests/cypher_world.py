"""The graph that questions and queries of others are tested on: claims about a council meeting, one source withheld."""

from datetime import timedelta

from builders import (
    TIME,
    reference_to,
    segment,
    signed_request,
    signed_response,
    signed_retraction,
    signed_source,
    signed_statement,
)
from scenario import AUTHOR, STRANGER, VERIFIER_A, VERIFIER_B, accept, pieces, settle

from a2ap.boundary import Boundary
from a2ap.canonical import sha256_digest
from a2ap.messages.verification_response import Verdict
from graph.platform import Platform

SECRET = "the mayor met the builder at night"
SECRET_SOURCE = f"Minutes, not public: {SECRET}.".encode()
SECRET_ID = "urn:minutes:closed"


def statements() -> dict[str, bytes]:
    """Return the statements of this world by short names."""
    found = {
        "zoning": signed_statement(AUTHOR, claim="The zoning map changes on Elm Street."),
        "parking": signed_statement(AUTHOR, claim="Parking fees rise in March."),
        "tables": signed_statement(VERIFIER_A, claim="Café owners want tables outside."),
        "budget": signed_statement(STRANGER, claim="The budget for parks doubles."),
    }
    found["no_parking"] = signed_statement(
        STRANGER, claim="Parking fees stay as they are.", contradicts=[reference_to(found["parking"])]
    )
    found["map"] = signed_statement(
        VERIFIER_B, claim="A new zoning map is printed.", supports=[reference_to(found["zoning"])]
    )
    return found


async def asked_world(platform: Platform) -> dict[str, bytes]:
    """Hand in the world: one verified statement, one challenged, one retracted, the others unjudged; return them."""
    await settle(platform)
    known = statements()
    await accept(platform, *known.values())
    await accept(
        platform,
        signed_response(known["zoning"], VERIFIER_A, time=TIME + timedelta(days=1)),
        signed_response(known["zoning"], VERIFIER_B, time=TIME + timedelta(days=2)),
        signed_response(known["parking"], VERIFIER_B, verdict=Verdict.CHALLENGED, reason="Nobody says so."),
        signed_response(known["parking"], VERIFIER_A),
        signed_request(known["tables"], AUTHOR),
        signed_retraction(known["budget"], STRANGER),
    )
    return known


async def hide_a_source(platform: Platform) -> bytes:
    """Register a source that the public may not read, and a statement that quotes it; return the statement."""
    source = signed_source(
        AUTHOR, source=SECRET_SOURCE, source_id=SECRET_ID, boundary=Boundary.PRIVATE, title="Closed minutes"
    )
    await accept(platform, source)
    await platform.sources.put(sha256_digest(SECRET_SOURCE), pieces(SECRET_SOURCE))
    evidence = [segment(SECRET, source=SECRET_SOURCE, source_id=SECRET_ID)]
    statement = signed_statement(AUTHOR, claim="There was a meeting.", evidence=evidence)
    await accept(platform, statement)
    return statement
