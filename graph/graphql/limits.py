"""Bounds on a query before it runs: depth, aliases and tokens.

The rule is one class made once, because validation results are cached by document and rules. Fragments are measured
once each: expanding them where they are spread takes exponential time for a hundred of them.
"""

from collections.abc import Callable

from graphql import (
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLError,
    InlineFragmentNode,
    OperationDefinitionNode,
    SelectionSetNode,
    ValidationContext,
    ValidationRule,
)
from strawberry.extensions import AddValidationRules, MaxTokensLimiter, ParserCache, SchemaExtension, ValidationCache

MAX_DEPTH = 15
"""Fields within fields; GraphiQL's own introspection has 13."""

MAX_ALIASES = 30
MAX_TOKENS = 2_000
CACHED_QUERIES = 256


class QueryBounds(ValidationRule):
    """Refuse documents that are too deep or have too many aliases, fragments counted as often as they are spread."""

    def __init__(self, context: ValidationContext) -> None:
        super().__init__(context)
        definitions = context.document.definitions
        self._fragments = {node.name.value: node for node in definitions if isinstance(node, FragmentDefinitionNode)}
        self._measured: dict[str, tuple[int, int]] = {}
        operations = [node for node in definitions if isinstance(node, OperationDefinitionNode)]
        measures = [self._measure(node.selection_set) for node in operations]
        if any(depth > MAX_DEPTH for depth, _ in measures):
            self.report_error(_too_large(f"the query is more than {MAX_DEPTH} fields deep"))
        if sum(aliases for _, aliases in measures) > MAX_ALIASES:
            self.report_error(_too_large(f"the query has more than {MAX_ALIASES} aliases"))

    def _measure(self, selection_set: SelectionSetNode | None) -> tuple[int, int]:
        """Return how deep a selection is, and how many aliases it has."""
        deepest = total = 0
        for node in selection_set.selections if selection_set else ():
            depth, aliases = 0, 0
            if isinstance(node, FieldNode):
                depth, aliases = self._measure(node.selection_set)
                depth, aliases = depth + 1, aliases + (node.alias is not None)
            elif isinstance(node, InlineFragmentNode):
                depth, aliases = self._measure(node.selection_set)
            elif isinstance(node, FragmentSpreadNode):
                depth, aliases = self._measure_fragment(node.name.value)
            deepest, total = max(deepest, depth), total + aliases
        return deepest, total

    def _measure_fragment(self, name: str) -> tuple[int, int]:
        if name not in self._measured:
            # A fragment within itself counts nothing here; another rule refuses it.
            self._measured[name] = (0, 0)
            fragment = self._fragments.get(name)
            self._measured[name] = self._measure(fragment.selection_set if fragment else None)
        return self._measured[name]


def _too_large(message: str) -> GraphQLError:
    return GraphQLError(message, extensions={"code": "TOO_LARGE"})


def extensions() -> list[Callable[[], SchemaExtension]]:
    """Return the schema extensions that bound and speed up every operation."""
    return [
        lambda: MaxTokensLimiter(MAX_TOKENS),
        lambda: AddValidationRules([QueryBounds]),
        lambda: ParserCache(maxsize=CACHED_QUERIES),
        lambda: ValidationCache(maxsize=CACHED_QUERIES),
    ]
