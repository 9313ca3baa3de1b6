"""Agents as versions of families: membership, shared reputation, and the differences between two versions."""
