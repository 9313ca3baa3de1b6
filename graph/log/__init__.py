"""The way into the graph: messages are checked, planned, written and logged."""
