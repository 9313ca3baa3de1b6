// Keys and indexes of gold labels, disputes of them, and probes.
CREATE CONSTRAINT gold_label_hash IF NOT EXISTS FOR (n:GoldLabel) REQUIRE n.signed_hash IS UNIQUE;
CREATE INDEX gold_label_target IF NOT EXISTS FOR (n:GoldLabel) ON (n.target_hash);
CREATE INDEX gold_label_key IF NOT EXISTS FOR (n:GoldLabel) ON (n.key_id);
CREATE INDEX gold_label_log_index IF NOT EXISTS FOR (n:GoldLabel) ON (n.log_index);
CREATE CONSTRAINT gold_dispute_hash IF NOT EXISTS FOR (n:GoldDispute) REQUIRE n.signed_hash IS UNIQUE;
CREATE INDEX gold_dispute_label IF NOT EXISTS FOR (n:GoldDispute) ON (n.label_hash);
CREATE INDEX gold_dispute_target IF NOT EXISTS FOR (n:GoldDispute) ON (n.target_hash);
CREATE INDEX gold_dispute_agent IF NOT EXISTS FOR (n:GoldDispute) ON (n.agent_id);
CREATE INDEX gold_dispute_key IF NOT EXISTS FOR (n:GoldDispute) ON (n.key_id);
CREATE CONSTRAINT probe_hash IF NOT EXISTS FOR (n:Probe) REQUIRE n.signed_hash IS UNIQUE;
