// The last epoch whose table is complete.
MATCH (e:Epoch)
WHERE e.last
RETURN e.signed_hash AS signed_hash, e.epoch_id AS epoch_id, e.log_size AS log_size, e.parts AS parts,
       e.policy AS policy, e.method AS method, e.calibration_confidences AS calibration_confidences,
       e.calibration_weights AS calibration_weights, e.model_criteria AS model_criteria,
       e.model_levels AS model_levels, e.model_right AS model_right, e.model_wrong AS model_wrong,
       e.model_common_errors AS model_common_errors, e.model_newcomers AS model_newcomers, e.log_index AS log_index,
       e.issued_at.epochSeconds * 1000000 + e.issued_at.microsecond AS issued_micros
ORDER BY e.log_index DESC
LIMIT 1
