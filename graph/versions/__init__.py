"""Agents as versions of families: shared reputation, and the differences between two versions."""
