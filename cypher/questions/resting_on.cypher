// Which statements cite one of these documents?
UNWIND $documents AS key
MATCH (d:Document {document_key: key})<-[:PART_OF]-(c:Chunk)<-[:CITES]-(s:Statement)
RETURN DISTINCT s.signed_hash AS statement, s.claim_text AS claim, s.verified AS verified,
       s.consensus_score AS consensus_score, d.document_key AS document
ORDER BY verified DESC, consensus_score DESC, statement
LIMIT $first
