// Indexes of requests and verdicts, and the keys and indexes of leases.
CREATE INDEX verification_request_hash IF NOT EXISTS FOR (n:Verification) ON (n.request_hash);
CREATE INDEX verification_supersedes IF NOT EXISTS FOR (n:Verification) ON (n.supersedes);
CREATE INDEX request_open_until IF NOT EXISTS FOR (n:VerificationRequest) ON (n.open_until);
CREATE INDEX request_open_for IF NOT EXISTS FOR (n:VerificationRequest) ON (n.open_for);
CREATE INDEX lease_key IF NOT EXISTS FOR (n:Lease) ON (n.lease_key);
CREATE INDEX lease_place IF NOT EXISTS FOR (n:Lease) ON (n.place_of);
CREATE INDEX lease_agent IF NOT EXISTS FOR (n:Lease) ON (n.agent_id);
CREATE INDEX lease_expiry IF NOT EXISTS FOR (n:Lease) ON (n.expires_micros);
CREATE CONSTRAINT lease_call IF NOT EXISTS FOR (n:LeaseCall) REQUIRE n.call_id IS UNIQUE;
CREATE INDEX lease_call_expiry IF NOT EXISTS FOR (n:LeaseCall) ON (n.forget_micros);
CREATE CONSTRAINT lease_head IF NOT EXISTS FOR (n:LeaseHead) REQUIRE n.name IS UNIQUE;
