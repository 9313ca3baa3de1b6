"""Withdrawal, erasure and time limits of messages and sources: retractions, redactions and retention."""
