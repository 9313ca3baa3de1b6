"""Epochs: when reliabilities are estimated, from what, and how the table gets into the log and the graph."""
