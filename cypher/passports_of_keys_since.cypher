// One passport before this place of the log that is signed with a key registered at this place or after it, if any.
MATCH (k:Key)
WHERE k.log_index >= $start
MATCH (n:Passport {signed_by: k.public_key})
WHERE n.log_index < $start
RETURN n.record_hash AS name
LIMIT 1
