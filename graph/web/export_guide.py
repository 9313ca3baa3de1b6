"""The export formats in words: their content, and the lines that load a file of each into a tool.

Each line is true of the files as they are written: `tests/test_pages_export.py` runs those in Python and SQL.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from graph.export import FORMATS, ExportFormat
from graph.export.pieces import NAME


@dataclass(frozen=True, slots=True)
class Recipe:
    """The lines that load an export into a tool, in the language of that tool."""

    tool: str
    lines: str


@dataclass(frozen=True, slots=True)
class FormatGuide:
    """The content of a format, and its recipes."""

    holds: str
    recipes: tuple[Recipe, ...] = ()


_NETWORKX = 'import networkx\ngraph = networkx.read_graphml("a2ap.graphml")'
_PANDAS = 'import pandas\nstatements = pandas.read_parquet("tables/nodes-Statement.parquet")'
_DUCKDB = """SELECT claim_text, consensus_score, verified
FROM 'tables/nodes-Statement.parquet'
ORDER BY consensus_score DESC;"""
_RDFLIB = 'from rdflib import Graph\ngraph = Graph().parse("a2ap.ttl")'
_DATASET = 'from rdflib import Dataset\ngraphs = Dataset().parse("{file}", format="{format}")'
_JSON = 'import json\nwith open("a2ap.jsonld", encoding="utf-8") as file:\n    messages = json.load(file)["@graph"]'
_PROV = """from prov.model import ProvDocument
document = ProvDocument.deserialize("a2ap.prov.json", format="json").flattened().unified()"""

GUIDES: Mapping[ExportFormat, FormatGuide] = {
    ExportFormat.PARQUET: FormatGuide(
        "every node and relationship as typed columns, a table a file",
        (Recipe("pandas", _PANDAS), Recipe("DuckDB", _DUCKDB)),
    ),
    ExportFormat.CSV: FormatGuide(
        "every node and relationship, a table a file, with headers for the importer of Neo4j",
        (Recipe("Neo4j, an empty database", "cd tables && neo4j-admin database import full neo4j @import.args"),),
    ),
    ExportFormat.CYPHER: FormatGuide(
        "every node, relationship and property as a script",
        (Recipe("Neo4j, an empty database", "cypher-shell -u neo4j -f a2ap.cypher"),),
    ),
    ExportFormat.GRAPHML: FormatGuide(
        "every node and relationship in one file",
        (Recipe("Gephi", "File > Open… > a2ap.graphml"), Recipe("networkx", _NETWORKX)),
    ),
    ExportFormat.TURTLE: FormatGuide("the PROV-O triples of every message", (Recipe("rdflib", _RDFLIB),)),
    ExportFormat.TRIG: FormatGuide(
        "the same triples, a nanopublication a message",
        (Recipe("rdflib", _DATASET.format(file="a2ap.trig", format="trig")),),
    ),
    ExportFormat.NQUADS: FormatGuide(
        "the same quads, one a line", (Recipe("rdflib", _DATASET.format(file="a2ap.nq", format="nquads")),)
    ),
    ExportFormat.JSON_LD: FormatGuide("every document as it was signed", (Recipe("Python", _JSON),)),
    ExportFormat.PROVN: FormatGuide("the records of PROV, a bundle a message, in PROV-N"),
    ExportFormat.PROV_JSON: FormatGuide(
        "the records of PROV, a bundle a message, in PROV-JSON", (Recipe("prov in Python", _PROV),)
    ),
    ExportFormat.PROV_JSONLD: FormatGuide("the records of PROV, a bundle a message, in PROV-JSONLD"),
    ExportFormat.IN_TOTO: FormatGuide("statements and verdicts as signed in-toto Statements, one a line"),
    ExportFormat.LOG: FormatGuide("the entries of the log, without any text"),
    ExportFormat.GRAPH_ROWS: FormatGuide("every node and relationship, a row a line, for audits"),
}
"""The guides of all formats, in the order of the form."""


def file_name(chosen: ExportFormat) -> str:
    """Return the name of the file that an export in a format comes as."""
    return f"{NAME}{'.zip' if FORMATS[chosen].is_several else FORMATS[chosen].extension}"
