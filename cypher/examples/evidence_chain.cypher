// Which passages, of which documents and sources, does a statement rest on (A2AP Appendix B)?
// Appendix B asks for CITES*1..3. A chunk cites nothing, so that the way goes on over PART_OF and SOURCED_FROM.
MATCH path = (s:Statement {statement_id: $id})-[:CITES*1..3]->(chunk:Chunk)
MATCH (chunk)-[:PART_OF]->(document:Document)
OPTIONAL MATCH (document)-[:SOURCED_FROM]->(source:Source)
RETURN path AS path, chunk AS chunk, document AS document, source AS source
ORDER BY chunk.byte_start
LIMIT 100
