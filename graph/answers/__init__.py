"""Questions in words, and the search behind their answers."""
