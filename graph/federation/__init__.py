"""Exchange with other nodes: agreements, pulls of their logs, and what they may read here (docs/federation.md)."""
