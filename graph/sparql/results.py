"""Answers of SELECT and ASK as text: SPARQL 1.1 Query Results in JSON, XML, CSV and TSV, row by row.

The rows are of pyoxigraph's terms, which are distinguished by the names of their classes: only the process that runs
queries imports it.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final
from xml.sax.saxutils import escape, quoteattr

Rows = Iterable[Sequence[Any]]
_STRING: Final = "http://www.w3.org/2001/XMLSchema#string"
_LANGUAGE: Final = "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString"
# XML 1.0 §2.2: characters that no document can hold, however they are written.
_NO_XML: Final = {code: "\ufffd" for code in (*range(0x20), 0xFFFE, 0xFFFF) if code not in (0x9, 0xA, 0xD)}


def write_json(variables: Sequence[str], rows: Rows) -> Iterator[str]:
    """Yield SPARQL 1.1 Query Results JSON."""
    yield f'{{"head": {{"vars": {json.dumps(list(variables))}}}, "results": {{"bindings": ['
    separator = "\n"
    for row in rows:
        bound = {name: _json_term(term) for name, term in zip(variables, row, strict=True) if term is not None}
        yield separator + json.dumps(bound, ensure_ascii=False)
        separator = ",\n"
    yield "\n]}}\n"


def write_xml(variables: Sequence[str], rows: Rows) -> Iterator[str]:
    """Yield the SPARQL Query Results XML Format; control characters that XML cannot hold become U+FFFD."""
    head = "".join(f"<variable name={quoteattr(name)}/>" for name in variables)
    yield f"{_XML}<head>{head}</head>\n<results>\n"
    for row in rows:
        bound = [(name, term) for name, term in zip(variables, row, strict=True) if term is not None]
        cells = (f"<binding name={quoteattr(name)}>{_xml_term(term)}</binding>" for name, term in bound)
        yield f"<result>{''.join(cells)}</result>\n"
    yield "</results>\n</sparql>\n"


def write_csv(variables: Sequence[str], rows: Rows) -> Iterator[str]:
    """Yield SPARQL 1.1 Query Results CSV: values without their types, lines ended as in RFC 4180."""
    yield ",".join(variables) + "\r\n"
    for row in rows:
        yield ",".join(_csv_term(term) for term in row) + "\r\n"


def write_tsv(variables: Sequence[str], rows: Rows) -> Iterator[str]:
    """Yield SPARQL 1.1 Query Results TSV: terms as in Turtle."""
    yield "\t".join(f"?{name}" for name in variables) + "\n"
    for row in rows:
        yield "\t".join("" if term is None else _tsv_term(term) for term in row) + "\n"


WRITERS: Final[dict[str, Callable[[Sequence[str], Rows], Iterator[str]]]] = {
    "json": write_json,
    "xml": write_xml,
    "csv": write_csv,
    "tsv": write_tsv,
}

_XML: Final = '<?xml version="1.0" encoding="UTF-8"?>\n<sparql xmlns="http://www.w3.org/2005/sparql-results#">\n'


def write_truth(format: str, value: bool) -> str:
    """Return the answer of an ASK; in CSV and TSV, which have no form for it, one word."""
    word = "true" if value else "false"
    if format == "json":
        return f'{{"head": {{}}, "boolean": {word}}}\n'
    return f"{_XML}<head/>\n<boolean>{word}</boolean>\n</sparql>\n" if format == "xml" else f"{word}\n"


def _kind(term: Any) -> str:
    return type(term).__name__


def _json_term(term: Any) -> dict[str, Any]:
    if _kind(term) == "NamedNode":
        return {"type": "uri", "value": term.value}
    if _kind(term) == "BlankNode":
        return {"type": "bnode", "value": term.value}
    if _kind(term) == "Literal":
        written = {"type": "literal", "value": term.value}
        if term.language:
            return {**written, "xml:lang": term.language}
        return written if term.datatype.value == _STRING else {**written, "datatype": term.datatype.value}
    return {"type": "literal", "value": str(term)}


def _xml_term(term: Any) -> str:
    text = escape(term.value.translate(_NO_XML)) if hasattr(term, "value") else escape(str(term).translate(_NO_XML))
    if _kind(term) == "NamedNode":
        return f"<uri>{text}</uri>"
    if _kind(term) == "BlankNode":
        return f"<bnode>{text}</bnode>"
    if _kind(term) == "Literal" and term.language:
        return f"<literal xml:lang={quoteattr(term.language)}>{text}</literal>"
    if _kind(term) == "Literal" and term.datatype.value not in (_STRING, _LANGUAGE):
        return f"<literal datatype={quoteattr(term.datatype.value)}>{text}</literal>"
    return f"<literal>{text}</literal>"


def _csv_term(term: Any) -> str:
    if term is None:
        return ""
    if _kind(term) == "BlankNode":
        return f"_:{term.value}"
    text = term.value if hasattr(term, "value") else str(term)
    return f'"{text.replace(chr(34), chr(34) * 2)}"' if any(mark in text for mark in ',"\r\n') else str(text)


def _tsv_term(term: Any) -> str:
    # In N-Triples a tab may stand as it is; here it would end the cell.
    return str(term).replace("\t", "\\t")
