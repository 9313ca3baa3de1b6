"""The one procedure that a query may call: that of the full-text indexes.

The query of a full-text index has words, phrases, AND, OR and NOT, never a regular expression: those can take long.
"""

import re

from graph.cypher_text.cursor import Cursor, Scope, Term
from graph.cypher_text.expressions import read_expression
from graph.cypher_text.limits import MAX_HITS
from graph.cypher_text.shapes import NUMBER, node
from graph.cypher_text.tokens import Sort
from graph.cypher_text.vocabulary import FULL_TEXT, OF_STATEMENTS

FULL_TEXT_CALL = "db.index.fulltext.queryNodes"
_ASKED = re.compile(r'[^\W_][\w\s"\'(),.;:!’–-]*\*?', re.UNICODE)
MAX_ASKED = 500  # characters


def read_procedure(cursor: Cursor, scope: Scope, rows: int) -> tuple[str, Scope]:
    """Read a procedure call after CALL; return its text and the variables that it yields."""
    start = cursor.token
    name = cursor.next().text
    while cursor.take_sign("."):
        name += f".{cursor.next().text}"
    if name.lower() != FULL_TEXT_CALL.lower():
        cursor.refuse(f"{name[:80]} is no procedure that may be called", start)
    if rows > 1:
        cursor.refuse("an index is asked once for each of many rows", start)
    cursor.expect_sign("(")
    index = cursor.next()
    if index.sort is not Sort.TEXT or index.text not in FULL_TEXT:
        cursor.refuse(f"{index.shown} is no full-text index: they are {', '.join(FULL_TEXT)}", index)
    if cursor.withheld and index.text != OF_STATEMENTS:
        cursor.refuse(f"{index.text} finds by words that this reader is not cleared for", index)
    cursor.expect_sign(",")
    asked = _asked(cursor, scope)
    if cursor.take_sign(","):
        # How many it may give is ours to say.
        read_expression(cursor, scope)
    cursor.expect_sign(")")
    yielded, text = _yielded(cursor, scope, FULL_TEXT[index.text])
    return f"CALL {FULL_TEXT_CALL}('{index.text}', {asked.text}, {{limit: {MAX_HITS}}}) YIELD {text}", yielded


def _asked(cursor: Cursor, scope: Scope) -> Term:
    token = cursor.token
    if token.sort not in (Sort.TEXT, Sort.PARAMETER):
        cursor.refuse("the query of an index is a text or a parameter", token)
    term = read_expression(cursor, scope)
    value = cursor.constant(term)
    if not isinstance(value, str) or len(value) > MAX_ASKED or not _ASKED.fullmatch(value.strip('"( ')):
        cursor.refuse("an index is asked for words and phrases, with AND, OR and NOT between them", token)
    return term


def _yielded(cursor: Cursor, scope: Scope, label: str) -> tuple[Scope, str]:
    cursor.expect_word("YIELD")
    found: Scope = {}
    texts = []
    while True:
        token = cursor.next()
        shapes = {"node": node([label]), "score": NUMBER}
        if token.sort is not Sort.NAME or token.text not in shapes:
            cursor.refuse(f"{token.shown} is none of node and score", token)
        name = cursor.name("a variable") if cursor.take_word("AS") else token.text
        if name in scope or name in found:
            cursor.refuse(f"{name} is already something else", token)
        found[name] = shapes[token.text]
        texts.append(f"{token.text} AS {name}" if name != token.text else name)
        if not cursor.take_sign(","):
            return found, ", ".join(texts)
