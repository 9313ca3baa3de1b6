"""The messages of A2AP: one module for each type, their common envelope and parts, and the reader of all."""
