// The agents with these ids.
UNWIND $ids AS id
MATCH (a:Agent {agent_id: id})
RETURN a {.agent_id, .name, .version, .publisher, .capabilities, .public_key, .key_id, .registered_at,
          .registration_hash, .reputation, .log_index} AS agent
