"""An agent in Python: it signs claims, sources and verdicts with its key, and sends them to a node.

    from a2ap import Agent

    agent = Agent.load("clerk.key", node="http://127.0.0.1:8000")
    minutes = agent.source("minutes.txt", title="Minutes of the council")
    receipt = agent.claim("The height limit stays.", quote="keep the height limit at forty feet", source=minutes)

`Agent` blocks, and `AsyncAgent` has the same methods for asyncio. Both send what the exchanges of
`a2ap.agent.operations` yield, which do no I/O.
"""

from a2ap.agent.agent import Agent
from a2ap.agent.async_agent import AsyncAgent
from a2ap.agent.drafts import Draft, DraftError
from a2ap.agent.following import LogEndError, LogEvent, LogMessageError
from a2ap.agent.quotes import Quote, QuoteError, QuoteForm, Source
from a2ap.agent.runs import RunError, RunWarning

__all__ = [
    "Agent",
    "AsyncAgent",
    "Draft",
    "DraftError",
    "LogEndError",
    "LogEvent",
    "LogMessageError",
    "Quote",
    "QuoteError",
    "QuoteForm",
    "RunError",
    "RunWarning",
    "Source",
]
