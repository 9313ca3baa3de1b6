// The reliabilities of verifiers that epochs state, each by epoch, agent and criterion.
UNWIND $keys AS key
MATCH (r:Reliability {reliability_key: key})
RETURN r.reliability_key AS reliability_key, r.agent_id AS agent_id, r.criterion AS criterion,
       r.sensitivity AS sensitivity, r.specificity AS specificity,
       r.judged AS judged, r.independence AS independence, r.copies AS copies, r.copied_both AS copied_both,
       r.copied_differed AS copied_differed, r.copied_expected AS copied_expected, r.coalition AS coalition
