"""Search: statements found by their words and by their meaning."""
