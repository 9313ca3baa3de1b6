// The operators' records that epochs state, each by epoch, operator and criterion.
UNWIND $keys AS key
MATCH (r:OperatorRecord {record_key: key})
RETURN r.operator AS operator, r.criterion AS criterion, r.sensitivities AS sensitivities,
       r.specificities AS specificities, r.known_answers AS known_answers
