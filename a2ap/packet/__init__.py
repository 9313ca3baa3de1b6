"""Context Packets v0.4.0 (`context-packet/0.3`): read, checked, hashed, signed and followed, without any I/O."""
