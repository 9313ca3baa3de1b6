"""The operator's knowledge: gold labels and their standing, hidden probes, and the record of verifiers on them."""
