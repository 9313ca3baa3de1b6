// The agents registered after a place in the log, oldest first.
MATCH (a:Agent)
WHERE a.log_index > $after
RETURN a.agent_id AS agent_id, a.name AS agent_name, a.version AS agent_version, a.publisher AS agent_publisher,
       a.reputation AS agent_reputation, a.capabilities AS capabilities, a.public_key AS public_key,
       a.registered_at.epochSeconds * 1000000 + a.registered_at.microsecond AS registered_micros,
       a.registration_hash AS registration_hash, a.deactivated_at AS deactivated_at,
       a.log_index AS log_index
ORDER BY log_index
LIMIT $first
