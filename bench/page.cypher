// A page of statements with evidence, verdicts, agents and scores in one query: what P3 is compared with.
UNWIND $hashes AS hash
MATCH (s:Statement {signed_hash: hash})<-[:GENERATED]-(author:Agent)
RETURN s {.statement_id, .claim_text, .confidence, .verified, .consensus_score} AS statement,
       author {.agent_id, .name, .version, .publisher, .reputation} AS author,
       [(s)-[r:CITES]->(c:Chunk)-[:PART_OF]->(d:Document) |
         {quote: r.quote_text, byte_start: c.byte_start, byte_end: c.byte_end, chunk: c.chunk_id, text: c.text,
          document: d.document_hash, title: d.title}] AS evidence,
       [(v:Verification)-[:VALIDATES]->(s) |
         {verdict: v.verdict, confidence: v.confidence, id: v.verification_id}] AS verifications
