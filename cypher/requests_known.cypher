// The verification requests with these hashes of signed bytes, their targets, and who may answer them.
UNWIND $hashes AS hash
MATCH (r:VerificationRequest {signed_hash: hash})-[:TARGETS]->(s:Statement)
RETURN r.signed_hash AS signed_hash, r.request_id AS request_id, s.signed_hash AS target_hash,
       r.eligible_verifiers AS eligible_verifiers
