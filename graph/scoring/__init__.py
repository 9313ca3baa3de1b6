"""What verdicts amount to: consensus on statements and reputation of agents."""
