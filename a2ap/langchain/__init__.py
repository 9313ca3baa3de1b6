"""Provenance of LangChain and LangGraph: runs recorded as packs, and a tool with which a model publishes claims.

    handler = ProvenanceHandler(agent)
    tool = claim_tool(agent, minutes, confirm=ask)
    graph.invoke(state, {"callbacks": [handler]})

It needs the extra `a2ap[langchain]` (`docs/how-to/frameworks.md`).
"""

try:
    import langchain_core  # noqa: F401
except ModuleNotFoundError as error:
    if error.name != "langchain_core":
        raise
    message = "langchain-core is not installed; a2ap.langchain needs the extra: pip install 'a2ap[langchain]'"
    raise ModuleNotFoundError(message, name=error.name) from error

from a2ap.agent.framework_run import Contents
from a2ap.langchain.claim_tool import claim_tool
from a2ap.langchain.handler import AsyncProvenanceHandler, ProvenanceHandler

__all__ = ["AsyncProvenanceHandler", "Contents", "ProvenanceHandler", "claim_tool"]
