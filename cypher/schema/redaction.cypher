// Keys and indexes of redactions.
CREATE CONSTRAINT redaction_hash IF NOT EXISTS FOR (n:Redaction) REQUIRE n.signed_hash IS UNIQUE;
CREATE INDEX redaction_target IF NOT EXISTS FOR (n:Redaction) ON (n.target);
CREATE INDEX redaction_document IF NOT EXISTS FOR (n:Redaction) ON (n.document_hash);
CREATE INDEX redaction_remainder IF NOT EXISTS FOR (n:Redaction) ON (n.redacted_document_hash);
