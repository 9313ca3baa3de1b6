"""The way into the graph: messages are planned, written and logged, and the graph is rebuilt from the log."""
