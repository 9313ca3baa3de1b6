"""The names of the export formats, as commands and requests give them."""

from enum import StrEnum


class ExportFormat(StrEnum):
    """The formats of an export; `graph.export.formats` has the media type and the function of each."""

    CYPHER = "cypher"
    TURTLE = "turtle"
    TRIG = "trig"
    NQUADS = "n-quads"
    JSON_LD = "json-ld"
    PROVN = "prov-n"
    PROV_JSON = "prov-json"
    PROV_JSONLD = "prov-jsonld"
    IN_TOTO = "in-toto"
    LOG = "log"
    GRAPH_ROWS = "graph-ndjson"
    GRAPHML = "graphml"
    CSV = "csv"
    PARQUET = "parquet"
