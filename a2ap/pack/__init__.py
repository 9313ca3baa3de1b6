"""Context Packs of ContextSubstrate: one agent run as a manifest and blobs, made, read, checked and compared; no I/O."""
