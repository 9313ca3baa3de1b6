"""SPARQL 1.1 over the triples of the exports: what is asked is read only, bounded, and runs in a process of its own.

    answer = await stores.ask(Boundary.PUBLIC, "SELECT ?s WHERE { ?s a prov:Entity }", Wanted("json", "turtle"))

- `graph.sparql.query_text` refuses what is no reading query, or would have us fetch something.
- `graph.sparql.stores` has the store of the reader's boundary class answer.
- `graph.sparql.loading` keeps one store of quads for each class, as the log grows.
- `graph.sparql.worker` is the process that holds a store open: for one load, or for one query. It starts for each, so
  that nothing is imported here.
"""
