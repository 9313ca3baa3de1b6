// Writes the runs of Context Packs, as their manifests state them.
UNWIND $rows AS row
MATCH (n:Pack {record_hash: row.record_hash})
SET n.held = true, n.byte_length = row.byte_length, n.version = row.version, n.created = row.created,
    n.model = row.model, n.os = row.os, n.runtime = row.runtime, n.form = row.form, n.parent = row.parent,
    n.steps = row.steps
