"""The dictionary of every label, relationship and property: exports, queries and the mirror are made from it."""
