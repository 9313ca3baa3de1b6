"""The names of the formats of exports: what a command or a request can ask for."""

from enum import StrEnum


class ExportFormat(StrEnum):
    """What an export can be; `graph.export.formats` has what each is and who writes it."""

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
