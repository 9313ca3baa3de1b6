"""The pictures of README and docs, taken of the demonstration's pages in Chromium. `make pictures` writes them."""
