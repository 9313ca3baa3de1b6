// The complete epochs before a place in the log, newest first.
MATCH (e:Epoch)
WHERE e.last AND e.log_index < $before
RETURN e.signed_hash AS signed_hash, e.epoch_id AS epoch_id, e.log_size AS log_size, e.parts AS parts,
       e.policy AS policy, e.method AS method, e.calibration_confidences AS calibration_confidences,
       e.calibration_weights AS calibration_weights, e.log_index AS log_index,
       e.issued_at.epochSeconds * 1000000 + e.issued_at.microsecond AS issued_micros
ORDER BY e.log_index DESC
LIMIT $first
