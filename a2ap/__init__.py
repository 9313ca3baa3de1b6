"""A2AP: the protocol's messages, identifiers, canonical bytes, keys and signatures, and agents that use them.

`from a2ap import Agent` gives the agent of `a2ap.agent`, and `from a2ap import Verifier` the verifier of
`a2ap.verifier`; `import a2ap` alone loads nothing else.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from a2ap.agent import Agent, AsyncAgent, Quote, QuoteForm, Source
    from a2ap.verifier import AsyncVerifier, Verifier

__all__ = ["Agent", "AsyncAgent", "AsyncVerifier", "Quote", "QuoteForm", "Source", "Verifier"]

_OF_VERIFIER = ("AsyncVerifier", "Verifier")


def __getattr__(name: str) -> Any:
    if name in __all__:
        return getattr(import_module("a2ap.verifier" if name in _OF_VERIFIER else "a2ap.agent"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
