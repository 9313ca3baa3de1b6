"""The examination of a node for `a2ap doctor`: its configuration, its folder, and its responses."""
