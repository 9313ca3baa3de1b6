// Notes the id of a lease request, until it would be too old anyway.
CREATE (c:LeaseCall {call_id: $id, forget_micros: $forget})
