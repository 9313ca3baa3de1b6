"""Checking the text of a query that somebody else wrote: what is not known to only read is refused."""
