// Keys and indexes of declines of verification requests.
CREATE CONSTRAINT decline_hash IF NOT EXISTS FOR (n:VerificationDecline) REQUIRE n.signed_hash IS UNIQUE;
CREATE INDEX decline_request IF NOT EXISTS FOR (n:VerificationDecline) ON (n.request_hash);
CREATE INDEX decline_agent IF NOT EXISTS FOR (n:VerificationDecline) ON (n.agent_id);
