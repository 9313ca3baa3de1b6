-- Full-text indexes of the embedded engine, one for the passages and one for the titles of each class.
CREATE INDEX search_public_passages IF NOT EXISTS ON SearchPublicPassage (text) FULL_TEXT METADATA {"analyzer": "org.apache.lucene.analysis.en.EnglishAnalyzer"};
CREATE INDEX search_internal_passages IF NOT EXISTS ON SearchInternalPassage (text) FULL_TEXT METADATA {"analyzer": "org.apache.lucene.analysis.en.EnglishAnalyzer"};
CREATE INDEX search_confidential_passages IF NOT EXISTS ON SearchConfidentialPassage (text) FULL_TEXT METADATA {"analyzer": "org.apache.lucene.analysis.en.EnglishAnalyzer"};
CREATE INDEX search_ip_sensitive_passages IF NOT EXISTS ON SearchIpSensitivePassage (text) FULL_TEXT METADATA {"analyzer": "org.apache.lucene.analysis.en.EnglishAnalyzer"};
CREATE INDEX search_client_sensitive_passages IF NOT EXISTS ON SearchClientSensitivePassage (text) FULL_TEXT METADATA {"analyzer": "org.apache.lucene.analysis.en.EnglishAnalyzer"};
CREATE INDEX search_legal_sensitive_passages IF NOT EXISTS ON SearchLegalSensitivePassage (text) FULL_TEXT METADATA {"analyzer": "org.apache.lucene.analysis.en.EnglishAnalyzer"};
CREATE INDEX search_private_passages IF NOT EXISTS ON SearchPrivatePassage (text) FULL_TEXT METADATA {"analyzer": "org.apache.lucene.analysis.en.EnglishAnalyzer"};
CREATE INDEX search_safety_sensitive_passages IF NOT EXISTS ON SearchSafetySensitivePassage (text) FULL_TEXT METADATA {"analyzer": "org.apache.lucene.analysis.en.EnglishAnalyzer"};
CREATE INDEX search_public_titles IF NOT EXISTS ON SearchPublicTitle (text) FULL_TEXT METADATA {"analyzer": "org.apache.lucene.analysis.en.EnglishAnalyzer"};
CREATE INDEX search_internal_titles IF NOT EXISTS ON SearchInternalTitle (text) FULL_TEXT METADATA {"analyzer": "org.apache.lucene.analysis.en.EnglishAnalyzer"};
CREATE INDEX search_confidential_titles IF NOT EXISTS ON SearchConfidentialTitle (text) FULL_TEXT METADATA {"analyzer": "org.apache.lucene.analysis.en.EnglishAnalyzer"};
CREATE INDEX search_ip_sensitive_titles IF NOT EXISTS ON SearchIpSensitiveTitle (text) FULL_TEXT METADATA {"analyzer": "org.apache.lucene.analysis.en.EnglishAnalyzer"};
CREATE INDEX search_client_sensitive_titles IF NOT EXISTS ON SearchClientSensitiveTitle (text) FULL_TEXT METADATA {"analyzer": "org.apache.lucene.analysis.en.EnglishAnalyzer"};
CREATE INDEX search_legal_sensitive_titles IF NOT EXISTS ON SearchLegalSensitiveTitle (text) FULL_TEXT METADATA {"analyzer": "org.apache.lucene.analysis.en.EnglishAnalyzer"};
CREATE INDEX search_private_titles IF NOT EXISTS ON SearchPrivateTitle (text) FULL_TEXT METADATA {"analyzer": "org.apache.lucene.analysis.en.EnglishAnalyzer"};
CREATE INDEX search_safety_sensitive_titles IF NOT EXISTS ON SearchSafetySensitiveTitle (text) FULL_TEXT METADATA {"analyzer": "org.apache.lucene.analysis.en.EnglishAnalyzer"};
