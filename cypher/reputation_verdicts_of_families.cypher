// The verdicts of the confirmed versions of each of these families that turned out right or wrong, from one end.
UNWIND $ids AS id
MATCH (f:AgentFamily {family_id: id})
CALL (f) {
  MATCH (f)<-[m:SPECIALIZATION_OF]-(a:Agent)
  WHERE m.confirmed
  MATCH (a)<-[:PERFORMED_BY]-(v:Verification)
  WHERE v.log_index > $start AND v.log_index < $end AND v.label IS NOT NULL
  RETURN v
  ORDER BY v.log_index * $sign
  LIMIT $limit
}
RETURN f.family_id AS family, v.signed_hash AS signed_hash, v.label AS label, v.log_index AS log_index
ORDER BY log_index * $sign
