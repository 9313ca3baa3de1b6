"""Check of the text of a query by a reader or a model: anything not known to only read is refused."""
