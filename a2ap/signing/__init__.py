"""Keys, and the signatures and proofs that they make."""
