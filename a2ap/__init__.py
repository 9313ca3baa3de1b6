"""A2AP: the protocol's messages, identifiers, canonical bytes, keys and signatures, and agents that use them.

`from a2ap import Agent` gives the agent of `a2ap.agent`; `import a2ap` alone loads nothing else.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from a2ap.agent import Agent, AsyncAgent, Quote, QuoteForm, Source

__all__ = ["Agent", "AsyncAgent", "Quote", "QuoteForm", "Source"]


def __getattr__(name: str) -> Any:
    if name in __all__:
        return getattr(import_module("a2ap.agent"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
