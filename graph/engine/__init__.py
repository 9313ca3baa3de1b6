"""The embedded graph engine: its files, its process and its life cycle."""
