"""The HTTP door, one kind of resource a file: parse, ask the platform, answer. Statuses are in `graph.app` alone."""
