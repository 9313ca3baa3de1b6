// The agents registered after a place in the log, oldest first.
MATCH (a:Agent)
WHERE a.log_index > $after
RETURN a {.agent_id, .name, .version, .publisher, .capabilities, .public_key, .key_id, .registered_at,
          .registration_hash, .reputation, .log_index} AS agent
ORDER BY a.log_index
LIMIT $first
