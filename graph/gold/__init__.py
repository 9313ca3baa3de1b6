"""What the operator knows: gold labels and whether they stand, hidden probes, and how verifiers did on them."""
