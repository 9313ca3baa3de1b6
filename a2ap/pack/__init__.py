"""Context Packs of ContextSubstrate: one agent run as a manifest and blobs, made, read and checked; no I/O."""
