"""Quotas: the amounts that this node takes within a day from one agent, operator or address (docs/decisions/0044)."""
