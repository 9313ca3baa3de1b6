// Keys and indexes of retractions.
CREATE CONSTRAINT retraction_hash IF NOT EXISTS FOR (n:Retraction) REQUIRE n.signed_hash IS UNIQUE;
CREATE INDEX retraction_target IF NOT EXISTS FOR (n:Retraction) ON (n.target_hash);
CREATE INDEX retraction_key IF NOT EXISTS FOR (n:Retraction) ON (n.key_id);
