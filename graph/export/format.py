"""The formats of exports, by name: what a command or a request can ask for."""

from enum import StrEnum


class ExportFormat(StrEnum):
    """What an export can be; each has a media type and a file name extension."""

    CYPHER = "cypher"
    TURTLE = "turtle"
    JSON_LD = "json-ld"
    LOG = "log"
    GRAPH_ROWS = "graph-ndjson"

    @property
    def media_type(self) -> str:
        """Return the media type, for HTTP."""
        return _MEDIA_TYPES[self]

    @property
    def extension(self) -> str:
        """Return the usual extension of a file name, with its dot."""
        return _EXTENSIONS[self]


_MEDIA_TYPES = {
    ExportFormat.CYPHER: "application/x-cypher-query",
    ExportFormat.TURTLE: "text/turtle",
    ExportFormat.JSON_LD: "application/ld+json",
    ExportFormat.LOG: "application/x-ndjson",
    ExportFormat.GRAPH_ROWS: "application/x-ndjson",
}
_EXTENSIONS = {
    ExportFormat.CYPHER: ".cypher",
    ExportFormat.TURTLE: ".ttl",
    ExportFormat.JSON_LD: ".jsonld",
    ExportFormat.LOG: ".ndjson",
    ExportFormat.GRAPH_ROWS: ".graph.ndjson",
}
