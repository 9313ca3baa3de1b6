"""Scores by a named method, for the queries and for the operations of A2AP §4.3 and §6.3."""

from graph.graphql.arguments import AgentName, Method, StatementName
from graph.graphql.consensus import Consensus
from graph.graphql.context import Info
from graph.graphql.reputation import Reputation
from graph.scores.on_demand import consensus_of_statements
from graph.scoring.reputations import reputation_of_agent


async def compute_consensus(info: Info, statement_id: StatementName, method: Method = None) -> Consensus:
    """Return the consensus on one statement."""
    store, loaders = info.context.platform.store, info.context.loaders
    signed_hash = await loaders.hash_of(statement_id)
    found = await consensus_of_statements(store, [signed_hash], method, loaders.spend_judgements)
    return Consensus.from_computed(found[signed_hash])


async def compute_reputation(info: Info, agent_id: AgentName, method: Method = None) -> Reputation:
    """Return the reputation of one agent."""
    found = await reputation_of_agent(info.context.platform.store, agent_id, method)
    return Reputation.from_computed(found, agent=agent_id)
