// The statements that came out of each of these records, the first in the log first.
UNWIND $hashes AS hash
MATCH (d:Document {document_key: hash})<-[:GENERATED_BY]-(s:Statement)
RETURN d.document_key AS record_hash, s.signed_hash AS signed_hash
ORDER BY record_hash, s.log_index
LIMIT $first
