// Records policies; the last one is in force.
UNWIND $rows AS row
CREATE (p:Policy {signed_hash: row.signed_hash})
SET p.policy_id = row.policy_id, p.issued_at = datetime(row.issued_at), p.threshold = row.threshold,
    p.quorum = row.quorum, p.seeds = row.seeds, p.method = row.method, p.criteria = row.criteria,
    p.unseeded_weight = row.unseeded_weight, p.version = row.version, p.epoch_length = row.epoch_length,
    p.prior_claim = row.prior_claim, p.prior_trusted = row.prior_trusted, p.prior_endorsed = row.prior_endorsed,
    p.prior_unknown = row.prior_unknown, p.family_correlation = row.family_correlation,
    p.draw_operators = row.draw_operators, p.draw_from = row.draw_from, p.draw_window = row.draw_window,
    p.log_index = row.log_index
