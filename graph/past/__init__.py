"""The graph as it was: made again from the first entries of the log, in an engine aside, for questions about then."""
