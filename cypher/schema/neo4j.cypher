// Full-text indexes of Neo4j, which know forms of English words; the same names in embedded.sql.
CREATE FULLTEXT INDEX statement_text IF NOT EXISTS FOR (n:Statement) ON EACH [n.claim_text]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english'}};
CREATE FULLTEXT INDEX chunk_text IF NOT EXISTS FOR (n:Chunk) ON EACH [n.text]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english'}};
CREATE FULLTEXT INDEX document_title IF NOT EXISTS FOR (n:Document) ON EACH [n.title]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english'}};
// The keys of the texts for search, of each class under a label of their own.
CREATE CONSTRAINT search_public_passage_key IF NOT EXISTS FOR (n:SearchPublicPassage) REQUIRE n.text_key IS UNIQUE;
CREATE CONSTRAINT search_internal_passage_key IF NOT EXISTS FOR (n:SearchInternalPassage) REQUIRE n.text_key IS UNIQUE;
CREATE CONSTRAINT search_confidential_passage_key IF NOT EXISTS FOR (n:SearchConfidentialPassage) REQUIRE n.text_key IS UNIQUE;
CREATE CONSTRAINT search_ip_sensitive_passage_key IF NOT EXISTS FOR (n:SearchIpSensitivePassage) REQUIRE n.text_key IS UNIQUE;
CREATE CONSTRAINT search_client_sensitive_passage_key IF NOT EXISTS FOR (n:SearchClientSensitivePassage) REQUIRE n.text_key IS UNIQUE;
CREATE CONSTRAINT search_legal_sensitive_passage_key IF NOT EXISTS FOR (n:SearchLegalSensitivePassage) REQUIRE n.text_key IS UNIQUE;
CREATE CONSTRAINT search_private_passage_key IF NOT EXISTS FOR (n:SearchPrivatePassage) REQUIRE n.text_key IS UNIQUE;
CREATE CONSTRAINT search_safety_sensitive_passage_key IF NOT EXISTS FOR (n:SearchSafetySensitivePassage) REQUIRE n.text_key IS UNIQUE;
CREATE CONSTRAINT search_public_title_key IF NOT EXISTS FOR (n:SearchPublicTitle) REQUIRE n.text_key IS UNIQUE;
CREATE CONSTRAINT search_internal_title_key IF NOT EXISTS FOR (n:SearchInternalTitle) REQUIRE n.text_key IS UNIQUE;
CREATE CONSTRAINT search_confidential_title_key IF NOT EXISTS FOR (n:SearchConfidentialTitle) REQUIRE n.text_key IS UNIQUE;
CREATE CONSTRAINT search_ip_sensitive_title_key IF NOT EXISTS FOR (n:SearchIpSensitiveTitle) REQUIRE n.text_key IS UNIQUE;
CREATE CONSTRAINT search_client_sensitive_title_key IF NOT EXISTS FOR (n:SearchClientSensitiveTitle) REQUIRE n.text_key IS UNIQUE;
CREATE CONSTRAINT search_legal_sensitive_title_key IF NOT EXISTS FOR (n:SearchLegalSensitiveTitle) REQUIRE n.text_key IS UNIQUE;
CREATE CONSTRAINT search_private_title_key IF NOT EXISTS FOR (n:SearchPrivateTitle) REQUIRE n.text_key IS UNIQUE;
CREATE CONSTRAINT search_safety_sensitive_title_key IF NOT EXISTS FOR (n:SearchSafetySensitiveTitle) REQUIRE n.text_key IS UNIQUE;
CALL db.awaitIndexes(60);
