// Documents without a class of their own that go by one of these names, up to a number.
UNWIND keys($names) AS name
MATCH (d:Document {doc_id: name})
WHERE d.boundary IS NULL
RETURN DISTINCT d.document_key AS key
LIMIT $first
