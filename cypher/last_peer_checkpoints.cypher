// The largest checkpoint of each of these peers' logs that was noted.
UNWIND $origins AS origin
MATCH (c:PeerCheckpoint {origin: origin})
RETURN c.origin AS origin, c.tree_size AS tree_size, c.checkpoint AS checkpoint
ORDER BY c.tree_size DESC, c.log_index DESC
LIMIT $first
