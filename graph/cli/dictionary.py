"""`a2ap graph dictionary`: the meaning of every label, relationship, property, table and column."""

import sys


def dictionary() -> None:
    """Print the data dictionary as a page."""
    # Reading it takes a moment, and no other command needs it.
    from graph.cli.dictionary_page import dictionary_page

    sys.stdout.buffer.write(dictionary_page().encode())
    sys.stdout.buffer.flush()
