"""Context Passports: records of agents' work and hand-overs, read, verified, replayed and made; no I/O."""
