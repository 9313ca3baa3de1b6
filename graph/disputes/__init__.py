"""Statements that exclude each other or say the same: found in their words, decided by their scores."""
