"""Statements that exclude each other or make the same claim: found by their words, decided by their scores."""
