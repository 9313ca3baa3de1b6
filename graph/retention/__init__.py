"""Withdrawal and erasure of messages and sources: retractions and redactions."""
