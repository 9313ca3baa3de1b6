// Takes the quotes whose disclosure was erased from the citations that have them.
UNWIND $rows AS row
MATCH (s:Statement {signed_hash: row.signed_hash})-[r:CITES]->(:Chunk)
WHERE r.quote_digest = row.quote_digest
SET r.quote_text = null
