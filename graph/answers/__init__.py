"""Answers to questions in words, and to readers' own queries."""
