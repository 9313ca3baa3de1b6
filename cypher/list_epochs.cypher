// The complete epochs between two places in the log that meet conditions, from one end.
MATCH (e:Epoch)
WHERE e.last AND e.log_index > $start AND e.log_index < $end
  AND ($policy IS NULL OR e.policy = $policy)
  AND ($method IS NULL OR e.method = $method)
  AND ($min_size IS NULL OR e.log_size >= $min_size)
  AND ($max_size IS NULL OR e.log_size <= $max_size)
  AND ($issued_from IS NULL OR e.issued_at.epochSeconds * 1000000 + e.issued_at.microsecond >= $issued_from)
  AND ($issued_until IS NULL OR e.issued_at.epochSeconds * 1000000 + e.issued_at.microsecond < $issued_until)
RETURN e.signed_hash AS signed_hash, e.epoch_id AS epoch_id, e.log_size AS log_size, e.parts AS parts,
       e.policy AS policy, e.method AS method, e.calibration_confidences AS calibration_confidences,
       e.calibration_weights AS calibration_weights, e.model_criteria AS model_criteria,
       e.model_levels AS model_levels, e.model_right AS model_right, e.model_wrong AS model_wrong,
       e.model_common_errors AS model_common_errors, e.model_newcomers AS model_newcomers, e.log_index AS log_index,
       e.issued_at.epochSeconds * 1000000 + e.issued_at.microsecond AS issued_micros
ORDER BY e.log_index * $sign
LIMIT $limit
