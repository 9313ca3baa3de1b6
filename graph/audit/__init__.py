"""Checking a node from outside: its log, its documents and its graph, over HTTP or as exported; and bundles."""
