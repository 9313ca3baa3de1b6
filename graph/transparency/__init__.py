"""The node's log as others can check it: its tree, tiles and checkpoints, kept outside the graph as well."""
