"""The PROV-O triples of messages, as tuples, as text and by JSON-LD expansion."""
