"""The scores that the graph keeps, brought up to date with each message, and scores computed on request."""
