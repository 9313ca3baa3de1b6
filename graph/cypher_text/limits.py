"""Limits of the size of a query by a reader or a model, and of its results."""

MAX_TEXT = 8_000
"""Characters of a query."""

MAX_WORDS = 1_000
"""Names, numbers, texts and signs of a query."""

MAX_OPERATORS = 120
"""AND, OR, XOR, comparisons and arithmetic operators of one query in all."""

MAX_NEGATIONS = 8
"""NOT in a row."""

MAX_CLAUSES = 30
MAX_RELATIONSHIPS = 12
"""Relationship patterns in one query."""

MAX_HOPS = 5
"""Hops of one pattern of variable length."""

MAX_HOPS_TOGETHER = 12
MAX_DEPTH = 24
"""Nesting of brackets and subqueries."""

MAX_COLLECTED = 200
"""Elements that `collect` keeps."""

MAX_RANGE = 1_000
"""Elements of `range`."""

MAX_UNWOUND = 10_000
"""Rows that all `UNWIND` together may make from one row, and evaluations for elements of nested lists."""

MAX_VALUES = 5_000
"""Values in one value: a node counts as ten."""

MAX_ROWS = 1_000
MAX_HITS = 1_000
"""Nodes that a full-text index returns."""
