"""The position in the words of a query, the state of parsing, and the errors that name a place."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

from graph.cypher_text.estimate import Bound, Rows
from graph.cypher_text.guards import KeySet
from graph.cypher_text.limits import MAX_DEPTH, MAX_OPERATORS, MAX_UNWOUND, MAX_VALUES
from graph.cypher_text.shapes import Shape, shape_of
from graph.cypher_text.tokens import Sort, Token
from graph.errors import CypherTextError

Scope = dict[str, Shape]
"""The variables visible at a place, with their shapes."""

# Words that no variable is called: the keywords of both engines that could be read as one, writing ones among them.
_RESERVED_WORDS = """
all and any as asc ascending assert by call case contains count create csv delete desc descending detach distinct
drop else end ends exists explain extract false fields filter finish for foreach from in insert into is let limit
load match merge next none not null of offset on optional or order profile reduce remove replace return set show
single skip starts then transactions true union unique unwind use using when where with xor yield
"""
_RESERVED = frozenset(_RESERVED_WORDS.split())
LITERAL = "value_"
"""The prefix of parameters that replace literals."""


@dataclass(frozen=True, slots=True)
class Term:
    """An expression as it is written anew, and its shape; `aggregates` if it combines rows."""

    text: str
    shape: Shape
    aggregates: bool = False
    name: str | None = None


AtomReader = Callable[["Cursor", Scope], Term]
"""Reads an operand without its suffixes."""


@dataclass(slots=True)
class Cursor:
    """The state of parsing.

    Expressions, atoms and patterns have each other as parts: expressions read their atoms by `read_atom`. `given` are
    the caller's parameters; `parameters` those of the query as written anew.

    `withheld` says that something is withheld from this reader. Properties that hold words of sources are then
    refused, or with `by_row` guarded. `key_sets` has the name of the parameter for each set of keys that guards use.
    `unwound` is the number of times that the present part may be evaluated for one row: once for each element of the
    lists around it. `bound` is the limit of estimated rows, None without a limit, and `rows` are those of the present
    step.
    """

    tokens: Sequence[Token]
    given: Mapping[str, Any]
    withheld: bool
    read_atom: AtomReader
    bound: Bound | None = None
    by_row: bool = False
    key_sets: dict[KeySet, str] = field(default_factory=dict)
    rows: Rows = field(default_factory=Rows)
    operators: int = 0
    parameters: dict[str, Any] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    at: int = 0
    depth: int = 0
    clauses: int = 0
    relationships: int = 0
    hops: int = 0
    unwound: int = 1

    @property
    def token(self) -> Token:
        """Return the next word."""
        return self.tokens[self.at]

    def peek(self, ahead: int) -> Token:
        """Return the word `ahead` places after the next."""
        return self.tokens[min(self.at + ahead, len(self.tokens) - 1)]

    def next(self) -> Token:
        """Take the next word."""
        token = self.token
        if token.sort is not Sort.END:
            self.at += 1
        return token

    def is_word(self, *words: str, ahead: int = 0) -> bool:
        """Return whether the next words are these keywords, in any case."""
        return all(
            (token := self.peek(ahead + number)).sort is Sort.NAME and token.text.upper() == word
            for number, word in enumerate(words)
        )

    def take_word(self, *words: str) -> bool:
        """Take these keywords if they come next; return whether they do."""
        if not self.is_word(*words):
            return False
        self.at += len(words)
        return True

    def is_sign(self, sign: str, ahead: int = 0) -> bool:
        """Return whether a sign comes next."""
        token = self.peek(ahead)
        return token.sort is Sort.SIGN and token.text == sign

    def take_sign(self, sign: str) -> bool:
        """Take a sign if it comes next; return whether it does."""
        if not self.is_sign(sign):
            return False
        self.at += 1
        return True

    def expect_word(self, *words: str) -> None:
        """Take these keywords; refuse anything else."""
        if not self.take_word(*words):
            self.refuse(f"{self.token.shown} stands where {' '.join(words)} must")

    def expect_sign(self, sign: str) -> None:
        """Take a sign; refuse anything else."""
        if not self.take_sign(sign):
            self.refuse(f"{self.token.shown} stands where {sign!r} must")

    def name(self, what: str) -> str:
        """Take a name that is not a keyword."""
        token = self.next()
        if token.sort is not Sort.NAME or token.text.lower() in _RESERVED:
            self.refuse(f"{token.shown} is no name of {what}", token)
        return token.text

    def enter(self) -> None:
        """Enter a bracket."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            self.refuse(f"brackets are more than {MAX_DEPTH} deep")

    def leave(self) -> None:
        """Leave a bracket."""
        self.depth -= 1

    def repeat(self, count: int, token: Token) -> None:
        """Record that the next part is evaluated once for each of `count` elements."""
        self.unwound *= max(count, 1)
        if self.unwound > MAX_UNWOUND:
            self.refuse(f"more than {MAX_UNWOUND} rows or elements could be gone through", token)

    def operate(self, token: Token) -> None:
        """Count one operator of an expression: for long ones, planning takes an engine longer than running."""
        self.operators += 1
        if self.operators > MAX_OPERATORS:
            self.refuse(f"the query has more than {MAX_OPERATORS} operators", token)

    def check_rows(self, token: Token, times: int = 1) -> None:
        """Refuse a step with more estimated rows, each processed `times` times, than the query may have."""
        number = self.rows.number * times
        if self.bound is not None and number > self.bound.most:
            self.refuse(
                f"the query could go through about {number} rows, and {self.bound.most} are allowed: name a node by "
                "its id or hash, or pass on fewer rows with WITH and LIMIT",
                token,
            )

    def literal(self, value: Any) -> Term:
        """Return the parameter that replaces a literal."""
        name = f"{LITERAL}{len(self.parameters)}"
        while name in self.given:
            name += "_"
        self.parameters[name] = value
        return Term(f"${name}", shape_of(value))

    def use_keys(self, one: KeySet) -> None:
        """Note that the query looks into a set of withheld keys, and name its parameter."""
        name = f"withheld_{one}"
        while name in self.given:
            name += "_"
        self.key_sets[one] = name

    def constant(self, term: Term) -> Any:
        """Return the value of a term that is a literal or a parameter, None of any other."""
        return self.parameters.get(term.text[1:]) if term.text.startswith("$") else None

    def parameter(self, token: Token) -> Term:
        """Return a parameter of the caller."""
        return Term(f"${token.text}", shape_of(self.value_of(token)))

    def value_of(self, token: Token) -> Any:
        """Return the value of a parameter that the caller gave."""
        if token.text not in self.given:
            self.refuse(f"the parameter {token.text} is not given", token)
        self.used.add(token.text)
        self.parameters[token.text] = self.given[token.text]
        return self.given[token.text]

    def bounded(self, shape: Shape, token: Token) -> Shape:
        """Return the shape if it is small enough; refuse it otherwise."""
        if shape.values > MAX_VALUES:
            self.refuse(f"a value of more than {MAX_VALUES} values could come of it", token)
        return shape

    def refuse(self, why: str, token: Token | None = None) -> NoReturn:
        """Raise CypherTextError for a token, the next one if none is given."""
        raise CypherTextError(f"{why}, at {(token or self.token).place}")
