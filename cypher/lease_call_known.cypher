// Whether a lease request with this id was answered before.
MATCH (c:LeaseCall {call_id: $id})
RETURN c.call_id AS call_id
