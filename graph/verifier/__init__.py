"""A runnable verifier: it leases verification requests, judges statements by their sources, and signs its verdicts."""
