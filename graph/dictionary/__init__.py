"""What every label, relationship and property is and means: exports, queries and the mirror are made from it."""
