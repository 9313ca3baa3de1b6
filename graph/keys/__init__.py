"""The node's signing keys, keys kept by commands, and the effect of a revocation on signed messages."""
