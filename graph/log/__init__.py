"""The way into the graph: what a message must satisfy, and how it is planned, written and logged."""
