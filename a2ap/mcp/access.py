"""The access of the tools to the node: the agent that signs, the reader of answers, and the rules for signing."""

from dataclasses import dataclass

from a2ap.agent.async_agent import AsyncAgent
from a2ap.mcp.folders import Folders
from a2ap.mcp.node_reader import NodeReader


@dataclass(frozen=True, slots=True)
class Access:
    """The agent and the node that the tools work with.

    `folders` are those from which a source may be published. Without confirmation a client that cannot ask its user
    may have messages signed.
    """

    agent: AsyncAgent
    reader: NodeReader
    folders: Folders
    without_confirmation: bool = False
    read_only: bool = False
