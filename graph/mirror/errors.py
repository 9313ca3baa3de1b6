"""What keeps a mirror from being written."""

from graph.errors import GraphError


class MirrorError(GraphError):
    """The mirror's database, or what it mirrors, is not what it has to be; nothing of the step was written."""


class UnreachableDatabaseError(MirrorError):
    """The database does not answer, or ended the connection."""
