// How many citations begin in each of $parts equal parts of these documents, and the first cited byte of each part.
UNWIND $keys AS key
MATCH (d:Document {document_key: key})<-[:PART_OF]-(c:Chunk)<-[:CITES]-(s:Statement)
WHERE d.byte_length > 0
WITH key, d.byte_length AS byte_length, c.byte_start AS start,
     CASE WHEN c.byte_start < d.byte_length THEN c.byte_start * $parts / d.byte_length ELSE $parts - 1 END AS part
RETURN key AS document, part AS part, byte_length AS byte_length, min(start) AS first_byte, count(*) AS number
ORDER BY part
