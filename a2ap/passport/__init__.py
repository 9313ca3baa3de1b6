"""Context Passports: records of what agents did and handed on, read, verified, replayed and made; no I/O."""
