// Gives a row where the full-text indexes of Neo4j know forms of English words.
SHOW FULLTEXT INDEXES YIELD name, options
WHERE name = 'statement_text' AND options['indexConfig']['fulltext.analyzer'] = 'english'
RETURN name;
