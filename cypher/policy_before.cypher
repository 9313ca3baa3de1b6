// The policy that was in force before a place in the log.
MATCH (p:Policy)
WHERE p.log_index < $log_index
RETURN p.policy_id AS policy_id, p.signed_hash AS signed_hash, p.threshold AS threshold, p.quorum AS quorum,
       p.seeds AS seeds, p.method AS method, p.criteria AS criteria, p.unseeded_weight AS unseeded_weight,
       p.version AS version, p.epoch_length AS epoch_length, p.prior_claim AS prior_claim,
       p.prior_trusted AS prior_trusted, p.prior_endorsed AS prior_endorsed, p.prior_unknown AS prior_unknown,
       p.family_correlation AS family_correlation, p.draw_operators AS draw_operators,
       p.draw_from AS draw_from, p.draw_window AS draw_window,
       p.log_index AS log_index
ORDER BY p.log_index DESC
LIMIT 1
