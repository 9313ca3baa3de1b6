"""A relational copy of the graph in PostgreSQL, kept current from the log."""
