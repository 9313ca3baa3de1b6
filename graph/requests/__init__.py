"""The messages of verification work: requests and leases, declines, challenges and their answers."""
