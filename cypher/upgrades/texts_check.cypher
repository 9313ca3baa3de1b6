// Gives a row where the texts for search are kept by class: this index is the last that is made of them.
SHOW FULLTEXT INDEXES YIELD name
WHERE name = 'search_safety_sensitive_titles'
RETURN name;
