"""Exchange with other nodes: agreements, pulls of their logs, and their access to this node.

See docs/how-to/federation.md.
"""
