"""The graph as it was: made again from the log's first entries, in a separate engine, for queries about the past."""
