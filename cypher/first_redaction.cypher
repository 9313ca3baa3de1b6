// One redaction, where anything was erased.
MATCH (n:Redaction)
RETURN n.signed_hash AS redaction
LIMIT 1
