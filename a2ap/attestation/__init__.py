"""Statements and verdicts as attestations for tools of the software supply chain."""
