// Full-text indexes of Neo4j, one for the passages and one for the titles of each class.
CREATE FULLTEXT INDEX search_public_passages IF NOT EXISTS FOR (n:SearchPublicPassage) ON EACH [n.text]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english'}};
CREATE FULLTEXT INDEX search_internal_passages IF NOT EXISTS FOR (n:SearchInternalPassage) ON EACH [n.text]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english'}};
CREATE FULLTEXT INDEX search_confidential_passages IF NOT EXISTS FOR (n:SearchConfidentialPassage) ON EACH [n.text]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english'}};
CREATE FULLTEXT INDEX search_ip_sensitive_passages IF NOT EXISTS FOR (n:SearchIpSensitivePassage) ON EACH [n.text]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english'}};
CREATE FULLTEXT INDEX search_client_sensitive_passages IF NOT EXISTS FOR (n:SearchClientSensitivePassage) ON EACH [n.text]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english'}};
CREATE FULLTEXT INDEX search_legal_sensitive_passages IF NOT EXISTS FOR (n:SearchLegalSensitivePassage) ON EACH [n.text]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english'}};
CREATE FULLTEXT INDEX search_private_passages IF NOT EXISTS FOR (n:SearchPrivatePassage) ON EACH [n.text]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english'}};
CREATE FULLTEXT INDEX search_safety_sensitive_passages IF NOT EXISTS FOR (n:SearchSafetySensitivePassage) ON EACH [n.text]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english'}};
CREATE FULLTEXT INDEX search_public_titles IF NOT EXISTS FOR (n:SearchPublicTitle) ON EACH [n.text]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english'}};
CREATE FULLTEXT INDEX search_internal_titles IF NOT EXISTS FOR (n:SearchInternalTitle) ON EACH [n.text]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english'}};
CREATE FULLTEXT INDEX search_confidential_titles IF NOT EXISTS FOR (n:SearchConfidentialTitle) ON EACH [n.text]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english'}};
CREATE FULLTEXT INDEX search_ip_sensitive_titles IF NOT EXISTS FOR (n:SearchIpSensitiveTitle) ON EACH [n.text]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english'}};
CREATE FULLTEXT INDEX search_client_sensitive_titles IF NOT EXISTS FOR (n:SearchClientSensitiveTitle) ON EACH [n.text]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english'}};
CREATE FULLTEXT INDEX search_legal_sensitive_titles IF NOT EXISTS FOR (n:SearchLegalSensitiveTitle) ON EACH [n.text]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english'}};
CREATE FULLTEXT INDEX search_private_titles IF NOT EXISTS FOR (n:SearchPrivateTitle) ON EACH [n.text]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english'}};
CREATE FULLTEXT INDEX search_safety_sensitive_titles IF NOT EXISTS FOR (n:SearchSafetySensitiveTitle) ON EACH [n.text]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english'}};
CALL db.awaitIndexes(60);
