"""A2AP: the protocol's messages, identifiers, canonical bytes, keys and signatures; no I/O."""
