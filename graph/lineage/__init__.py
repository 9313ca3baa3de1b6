"""What rests on what: the statements, verdicts and endorsements that would fall with a key, an agent or a source."""
