"""The transparency log as bytes and rules: tree, notes, checkpoints, tiles, proofs. It reads and keeps nothing."""
