"""Context Packets of this platform: assembled from the graph, received, returned, and kept as records."""
