"""A verifier in Python: functions judge the statements of requests, and the verifier signs and sends the verdicts.

    from a2ap import Verifier

    verifier = Verifier.load("reader.key", node="http://127.0.0.1:8000")

    @verifier.criterion("source-accuracy")
    def quoted(material):
        return all(one.quote is None or one.quote in (one.text or "") for one in material.evidence)

    verifier.run()

`Verifier` blocks, and `AsyncVerifier` has the same methods for asyncio. Both are one worker
(`a2ap.verifier.worker`): it leases requests, fetches and checks statement and sources, and keeps each answer at a desk
before it is sent.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from a2ap.messages.finding import Finding, FindingStatus
    from a2ap.verifier.async_verifier import AsyncVerifier
    from a2ap.verifier.errors import CriterionError, DeclineError, OutageError, RetryError, VerifierError
    from a2ap.verifier.material import Evidence, Material, Source
    from a2ap.verifier.verifier import Verifier
    from a2ap.verifier.worker import Summary

# A command that only needs an error or a signal's handler does not load the client.
_MODULES = {
    "AsyncVerifier": "a2ap.verifier.async_verifier",
    "CriterionError": "a2ap.verifier.errors",
    "DeclineError": "a2ap.verifier.errors",
    "Evidence": "a2ap.verifier.material",
    "Finding": "a2ap.messages.finding",
    "FindingStatus": "a2ap.messages.finding",
    "Material": "a2ap.verifier.material",
    "OutageError": "a2ap.verifier.errors",
    "RetryError": "a2ap.verifier.errors",
    "Source": "a2ap.verifier.material",
    "Summary": "a2ap.verifier.worker",
    "Verifier": "a2ap.verifier.verifier",
    "VerifierError": "a2ap.verifier.errors",
}

__all__ = [
    "AsyncVerifier",
    "CriterionError",
    "DeclineError",
    "Evidence",
    "Finding",
    "FindingStatus",
    "Material",
    "OutageError",
    "RetryError",
    "Source",
    "Summary",
    "Verifier",
    "VerifierError",
]


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return getattr(import_module(_MODULES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
