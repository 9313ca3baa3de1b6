// How many hits each full-text index has for a query, so many at most: tier 0 claims, 1 passages, 2 titles.
CALL db.index.fulltext.queryNodes('statement_text', $query, {limit: $hits}) YIELD node AS n
RETURN 0 AS tier, count(n) AS number
UNION ALL
CALL db.index.fulltext.queryNodes('chunk_text', $query, {limit: $hits}) YIELD node AS n
RETURN 1 AS tier, count(n) AS number
UNION ALL
CALL db.index.fulltext.queryNodes('document_title', $query, {limit: $hits}) YIELD node AS n
RETURN 2 AS tier, count(n) AS number
