"""The formats of exports in one table: the media type of each, its extension, and the function that writes it.

Another format is one module with one function, a name in `graph.export.format` and a line here.

- The function takes an `ExportReader` and yields pieces of a file, or of several files one after the other.
- The text before the first page is yielded if `reader.is_fresh`, and counts across pages are kept in `reader.tally`: an
  export that was broken off goes on with the page that it stopped at.
- The same graph gives the same bytes: no clock, no chance, and everything in the order in which the reader gives it.
"""

from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec

from graph.export.attestations import attestations
from graph.export.csv_tables import csv_tables
from graph.export.cypher_script import cypher_script
from graph.export.format import ExportFormat
from graph.export.graph_rows import graph_rows
from graph.export.graphml import graphml
from graph.export.json_ld import json_ld
from graph.export.log_lines import log_lines
from graph.export.nanopublications import nquads, trig
from graph.export.parquet import parquet
from graph.export.prov_documents import prov_json, prov_jsonld, provn
from graph.export.reader import ExportReader, FilePart
from graph.export.turtle import turtle

Write = Callable[[ExportReader], AsyncIterator[bytes]]
WriteFiles = Callable[[ExportReader], AsyncIterator[FilePart]]


@dataclass(frozen=True, slots=True)
class Format:
    """The way in which a format is written: `write` for one file, or `write_files` for several.

    `is_rdf` says that it has the triples of messages. `why_named` is the reason why an export in it cannot have
    pseudonyms, if it cannot. A format that is not `resumable` is begun again if it broke off. Some formats are written
    by a `library`, which an `extra` of this package brings.
    """

    media_type: str
    extension: str
    write: Write | None = None
    write_files: WriteFiles | None = None
    why_named: str | None = None
    is_rdf: bool = False
    resumable: bool = True
    library: str | None = None
    extra: str | None = None

    @property
    def is_several(self) -> bool:
        """Return whether the format is several files: a folder, or over HTTP one archive."""
        return self.write_files is not None

    @property
    def is_installed(self) -> bool:
        """Return whether this installation can write the format."""
        return self.library is None or find_spec(self.library) is not None


_SIGNED = "a message signed under one name cannot be given under another"
_MADE_OF_SIGNED = "it is made from messages that agents signed under their names"

FORMATS: Mapping[ExportFormat, Format] = {
    ExportFormat.CYPHER: Format("application/x-cypher-query", ".cypher", cypher_script),
    ExportFormat.TURTLE: Format("text/turtle", ".ttl", turtle, why_named=_MADE_OF_SIGNED, is_rdf=True),
    ExportFormat.TRIG: Format("application/trig", ".trig", trig, why_named=_MADE_OF_SIGNED, is_rdf=True),
    ExportFormat.NQUADS: Format("application/n-quads", ".nq", nquads, why_named=_MADE_OF_SIGNED, is_rdf=True),
    ExportFormat.PROVN: Format("text/provenance-notation", ".provn", provn, why_named=_MADE_OF_SIGNED),
    ExportFormat.PROV_JSON: Format("application/json", ".prov.json", prov_json, why_named=_MADE_OF_SIGNED),
    ExportFormat.PROV_JSONLD: Format("application/ld+json", ".prov.jsonld", prov_jsonld, why_named=_MADE_OF_SIGNED),
    ExportFormat.IN_TOTO: Format("application/vnd.in-toto+jsonl", ".intoto.jsonl", attestations, why_named=_SIGNED),
    ExportFormat.JSON_LD: Format("application/ld+json", ".jsonld", json_ld, why_named=_SIGNED),
    ExportFormat.LOG: Format("application/x-ndjson", ".ndjson", log_lines, why_named=_SIGNED),
    ExportFormat.GRAPH_ROWS: Format(
        "application/x-ndjson",
        ".graph.ndjson",
        graph_rows,
        why_named="it is for comparison with the log",
        resumable=False,
    ),
    ExportFormat.GRAPHML: Format("application/graphml+xml", ".graphml", graphml),
    ExportFormat.CSV: Format("text/csv", "-csv", write_files=csv_tables),
    ExportFormat.PARQUET: Format(
        "application/vnd.apache.parquet", "-parquet", write_files=parquet, library="pyarrow", extra="tables"
    ),
}
