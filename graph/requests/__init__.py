"""What is asked of verifiers and what comes of it: requests and leases, declines, challenges and their answers."""
