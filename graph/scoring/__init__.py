"""Consensus on statements and reputation of agents, computed from verdicts."""
