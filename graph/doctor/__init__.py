"""The examination of a node for `a2ap doctor`: what is configured, what its folder holds, and what it answers."""
