"""Lists that grow: cursors, spans, and what is in the graph between two places of an ordering."""
