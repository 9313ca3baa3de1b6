// Records parts of epochs.
UNWIND $rows AS row
CREATE (e:Epoch {signed_hash: row.signed_hash})
SET e.epoch_id = row.epoch_id, e.issued_at = datetime(row.issued_at), e.log_size = row.log_size,
    e.policy = row.policy, e.method = row.method, e.part = row.part, e.parts = row.parts, e.last = row.last,
    e.calibration_confidences = row.calibration_confidences, e.calibration_weights = row.calibration_weights,
    e.model_criteria = row.model_criteria, e.model_levels = row.model_levels, e.model_right = row.model_right,
    e.model_wrong = row.model_wrong, e.model_common_errors = row.model_common_errors,
    e.model_newcomers = row.model_newcomers,
    e.log_index = row.log_index
