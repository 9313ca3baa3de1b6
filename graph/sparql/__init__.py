"""SPARQL 1.1 over the triples of the exports: queries are read only, bounded, and run in processes of their own.

    answer = await stores.ask(Boundary.PUBLIC, "SELECT ?s WHERE { ?s a prov:Entity }", Wanted("json", "turtle"))

- `graph.sparql.query_text` refuses anything that is not a reading query, or would fetch something.
- `graph.sparql.stores` answers from the store of the reader's boundary class.
- `graph.sparql.loading` keeps one store of quads for each class, as the log grows.
- `graph.sparql.worker` is the process that holds a store open: for one load, or for one query. It starts for each, so
  that pyoxigraph is not imported here.
"""
