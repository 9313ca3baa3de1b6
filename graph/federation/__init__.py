"""Exchange with other nodes: agreements, pulls of their logs, and their access to this node (docs/federation.md)."""
