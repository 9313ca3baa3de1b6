"""Bundles: a statement and everything that its score rests on, in one file that is verified off-line."""
