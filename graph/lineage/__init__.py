"""Lineage: the statements, verdicts and endorsements that depend on a key, an agent or a source."""
