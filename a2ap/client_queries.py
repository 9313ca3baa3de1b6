"""The GraphQL queries that an agent's client asks."""

KEYS = """query ($agent: ID!) { agent(id: $agent) { keys {
  id publicKey alias logIndex status retiredAt notTrustedSince revokedReason revokedBy registeredBy } } }"""
ADMISSION = "{ admissionPolicy { mode allowedAgents invitations signedHash issuedAt logIndex } }"
BLAST_RADIUS = """query ($key: ID, $agent: ID, $source: ID, $statement: ID, $asOf: Int, $first: Int!, $after: Int!) {
  blastRadius(key: $key, agent: $agent, source: $source, statement: $statement, asOf: $asOf, first: $first,
              after: $after) {
    asOf complete total statements verifications keys vouchedFor hasNextPage
    items { kind name messageId logIndex depth relation parent position } } }"""
LINEAGE = """query ($statement: ID!, $asOf: Int, $first: Int!, $after: Int!) {
  lineage(statementId: $statement, asOf: $asOf, first: $first, after: $after) {
    asOf complete total hasNextPage
    events { kind name id logIndex receivedAt agent causes { relation kind name } position } } }"""
