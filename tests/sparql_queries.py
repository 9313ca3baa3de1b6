"""Queries that are answered, that are refused, and that two readers of SPARQL take for different ones.

`HERE` in them is where whoever must not be reached would listen.
"""

from typing import Final

READING: Final = [
    "SELECT ?text WHERE { ?s a a2ap:ProvenanceStatement ; a2ap:claim/schema:text ?text }",
    "ASK { ?service prov:used ?load }",
    "# SERVICE is only said here\nSELECT ?s WHERE { ?s ?p 'SERVICE <http://HERE/> {}' }",
    'SELECT ?s WHERE { ?s ?p """INSERT DATA { } \' " SERVICE""" }',
    "PREFIX insert: <urn:x:insert#> SELECT ?s WHERE { ?s a insert:thing }",
    "CONSTRUCT { ?s ?p ?o } WHERE { GRAPH ?g { ?s ?p ?o } } LIMIT 1",
    "DESCRIBE <urn:x:SERVICE>",
    "PREFIX x: <urn:x:> SELECT ?s WHERE { ?s x:from ?o ; x:load x:named, x:Insert }",
    "SELECT ?SERVICE WHERE { ?SERVICE a prov:Entity }",
    "SELECT ?s FROM <urn:a2ap:records> WHERE { ?s ?p ?o }",
    "SELECT ?s FROM NAMED <urn:a2ap:records> WHERE { GRAPH ?g { ?s ?p ?o } }",
    "SELECT ?s WHERE { ?s a prov:Entity FILTER(CONTAINS(STR(?s), 'service')) }",
]

REFUSED: Final = {
    "an insertion": "INSERT DATA { <urn:a> <urn:b> <urn:c> }",
    "a deletion": "DELETE WHERE { ?s ?p ?o }",
    "a change": "WITH <urn:a2ap:records> DELETE { ?s ?p ?o } WHERE { ?s ?p ?o }",
    "a load": "LOAD <http://HERE/x.ttl>",
    "a silent load": "lOaD SILENT <file:///etc/passwd> INTO GRAPH <urn:a>",
    "an end of everything": "CLEAR ALL",
    "a drop": "DROP DEFAULT",
    "a creation": "PREFIX a: <urn:a> CREATE GRAPH <urn:a>",
    "a copy": "COPY DEFAULT TO <urn:a>",
    "an update after a query": "SELECT ?s WHERE { ?s ?p ?o } ; DROP ALL",
    "another service": "SELECT * WHERE { SERVICE <http://HERE/> { ?s ?p ?o } }",
    "another service, silent": "SELECT * WHERE { service SILENT <http://HERE/> { ?s ?p ?o } }",
    "another service, next to a brace": "SELECT * WHERE {?s ?p ?o}SERVICE<http://HERE/>{}",
    "another service, after a dot": "SELECT * WHERE { ?s ?p ex:a.SERVICE<http://HERE/>{} }",
    "another service, in an escape": "SELECT * WHERE { \\u0053ERVICE <http://HERE/> { ?s ?p ?o } }",
    "another service, behind an escaped quote": "SELECT * WHERE { ?s ?p ex:a\\' . SERVICE <http://HERE/> {} # '\n }",
    "another service, behind an escaped number sign": "SELECT * WHERE { ?s ?p ex:a\\# . SERVICE <http://HERE/> {} }",
    "another service, behind a comparison": "SELECT * WHERE { FILTER(?a <?b) SERVICE <http://HERE/> {} }",
    "another service, after a text in three quotes": "SELECT * WHERE { ?s ?p '''a''b''' . SERVICE <http://HERE/> {} }",
    "another service, right after a truth": "SELECT * WHERE { ?s ?p trueSERVICE<http://HERE/>{} }",
    "another service, right after a number": "SELECT * WHERE { ?s ?p 1e5SERVICE<http://HERE/>{} }",
    "another service, right before a name": "PREFIX x: <http://HERE/> SELECT * WHERE { ?s ?p ?o SERVICEx:y {} }",
    "another service, right before a colon": "PREFIX : <http://HERE/> SELECT * WHERE { ?s ?p ?o SERVICE:y {} }",
    "another service, without a space": "SELECT * WHERE { ?s ?p ?o SERVICESILENT<http://HERE/>{} }",
    "another service, as a name": "PREFIX x: <http://HERE/> SELECT * WHERE { ?s ?p x:SERVICE <http://HERE/>{} }",
    "another service, by a variable": "SELECT * WHERE { ?s ?p ?where SERVICE ?where { ?a ?b ?c } }",
    "a graph from the network": "SELECT * FROM <http://HERE/x.ttl> WHERE { ?s ?p ?o }",
    "a named graph from a file": "SELECT * FROM NAMED <file:///etc/passwd> WHERE { GRAPH ?g { ?s ?p ?o } }",
    "a graph by a short name": "PREFIX f: <file:///etc/> SELECT * FROM f:passwd WHERE { ?s ?p ?o }",
    "nothing": "",
    "no query": "# only a comment",
    "a text that is too long": "SELECT * WHERE { ?s ?p '" + "x" * 70_000 + "' }",
    "a nest of brackets": "SELECT * WHERE " + "{" * 100 + "}" * 100,
    "no SPARQL": "SELECT * FROM statements",
    "half a query": "SELECT * WHERE { ?s ?p",
}

_ASKED = "SERVICE <http://HERE/x> { ?a ?b ?c }"

TWO_READINGS: Final = {
    "a comparison and a comment, or an IRI": "SELECT * { {SELECT (1 AS ?o) {}} FILTER(?o<2)SERVICE#>\n"
    " <http://HERE/x> { ?a ?b ?c } }",
    "a comparison with a string, or an IRI": f"SELECT * {{ {{SELECT ('a' AS ?o) {{}}}} FILTER(?o<'b>'){_ASKED} #'\n}}",
    "a comment, or an IRI and a long string": f"ASK {{ {{SELECT (1 AS ?o) {{}}}} FILTER(?o<2#>'''\n){_ASKED} #'''\n}}",
}
"""Where the first reading asks another service."""
