"""Agents as versions of families: who belongs to one, what reputation they share, and how two of them differ."""
