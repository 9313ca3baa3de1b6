"""The GraphQL queries that an agent's client asks."""

KEYS = """query ($agent: ID!) { agent(id: $agent) { keys {
  id publicKey alias logIndex status retiredAt notTrustedSince revokedReason revokedBy registeredBy } } }"""
_QUOTA = "{ documents bytes agents }"
ADMISSION = f"""{{ admissionPolicy {{ mode allowedAgents invitations signedHash issuedAt logIndex
  quotas {{ stranger {_QUOTA} endorsed {_QUOTA} operator {_QUOTA} address {_QUOTA} }} }} }}"""
POLICY = "{ thisNode { consensusPolicy { receipt { documentHash } } } }"
ADMISSION_POLICY = "{ admissionPolicy { receipt { documentHash } } }"
BLAST_RADIUS = """query ($key: ID, $agent: ID, $source: ID, $statement: ID, $asOf: AsOf, $first: Int!, $after: String) {
  blastRadius(key: $key, agent: $agent, source: $source, statement: $statement, asOf: $asOf) {
    asOf complete total statements verifications keys vouchedFor
    items(first: $first, after: $after) {
      nodes { kind name messageId logIndex depth relation parent position } pageInfo { hasNextPage endCursor } } } }"""
LINEAGE = """query ($statement: ID!, $asOf: AsOf, $first: Int!, $after: String) {
  lineage(statementId: $statement, asOf: $asOf) {
    asOf complete total
    events(first: $first, after: $after) {
      nodes { kind name id logIndex receivedAt agent causes { relation kind name } position }
      pageInfo { hasNextPage endCursor } } } }"""
IMPACT = """query ($of: ID!, $kind: LineageKind, $asOf: AsOf, $first: Int!, $after: String) {
  impact(of: $of, kind: $kind, asOf: $asOf) {
    asOf complete total counts { kind count } of { kind name id logIndex }
    items(first: $first, after: $after) {
      nodes { kind name messageId logIndex depth relation parent position } pageInfo { hasNextPage endCursor } } } }"""
PATH = """query ($from: ID!, $to: ID!, $maxLength: Int!, $relations: [LineageRelation!], $direction: PathDirection,
    $asOf: AsOf, $first: Int!) {
  path(from: $from, to: $to, maxLength: $maxLength, relations: $relations, direction: $direction, asOf: $asOf) {
    asOf complete length total
    paths(first: $first) {
      start { kind name id logIndex } steps { relation direction to { kind name id logIndex } } } } }"""
_COUNTS = """entries agents statements sources records requests declines verdicts validated challenged
  insufficientEvidence invalidSignature machineVerdicts challengeAnswers contradictions retractions redactions
  endorsements goldLabels goldDisputes"""
STATS_OVER_TIME = f"""query ($by: TimeBucket!, $from: DateTime, $to: DateTime, $asOf: AsOf) {{
  statsOverTime(by: $by, from: $from, to: $to, asOf: $asOf) {{
    asOf before {{ {_COUNTS} }}
    buckets {{ start end activeAgents counts {{ {_COUNTS} }} total {{ {_COUNTS} }}
      standing {{ verified retracted meanScore }} }} }} }}"""
