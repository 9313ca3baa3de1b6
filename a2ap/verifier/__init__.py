"""A verifier that answers requests: leases, budgets, the desk with its outbox, and the criteria that it judges by."""
