"""A verifier to run: it leases verification requests, judges statements by their sources, and signs its verdicts."""
