"""Epochs: when reliabilities are estimated, from which inputs, and how the table gets into the log and the graph."""
