"""The HTTP endpoints, one kind of resource a file: parse, call the platform, answer. Only `graph.app` has statuses."""
