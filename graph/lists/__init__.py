"""Lists that grow: cursors, spans, and the entries of the graph between two places of an ordering."""
