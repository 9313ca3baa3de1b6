"""Keys that change hands: what may be registered and revoked, what follows for what they signed, and who may join."""
