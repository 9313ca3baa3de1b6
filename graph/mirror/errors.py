"""Errors of writing a mirror."""

from graph.errors import GraphError


class MirrorError(GraphError):
    """The mirror's database, or its original, is not as required; nothing of the step was written."""


class UnreachableDatabaseError(MirrorError):
    """The database does not answer, or ended the connection."""
