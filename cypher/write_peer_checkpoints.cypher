// Writes the checkpoints of peers that entries taken from them rest on.
UNWIND $rows AS row
CREATE (c:PeerCheckpoint {signed_hash: row.signed_hash})
SET c.message_id = row.message_id, c.origin = row.origin, c.issued_at = datetime(row.issued_at),
    c.tree_size = row.tree_size, c.root_hash = row.root_hash, c.checkpoint = row.checkpoint,
    c.log_index = row.log_index
