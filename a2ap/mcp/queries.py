"""The GraphQL queries of the tools and resources, after those of the node's pages."""

_STATEMENT = """
fragment Brief on Statement {
  id signedHash claimText standing status verified conflicted generatedAt logIndex
  generatedBy { id name lookAlikes(first: 1, precedingOnly: true) { id } }
  consensus { score judged operators quorum method interval { low high } }
}"""
_CITED = """
fragment Cited on Evidence {
  sourceDocument quote withheld page byteRange { start end }
  chunk { document { hash title } }
}"""

CONSENSUS = (
    """query ($name: ID!, $first: Int!) {
  statement(id: $name) {
    ...Brief
    claimKind keyStatus machineCheck evidenceState
    retraction { reason }
    supersededBy { signedHash }
    consensus {
      reasons
      perCriterion { criterion score quorumMet operatorsFor operatorsAgainst }
    }
    verificationsConnection(direction: DESC, first: $first) {
      totalCount nodes { verdict machine retraction { logIndex } supersededBy { logIndex } }
    }
  }
  log { size }
}"""
    + _STATEMENT
)
TRACE = (
    """query ($name: ID!, $first: Int!) {
  statement(id: $name) {
    ...Brief
    confidence generationMethod
    citations { ...Cited }
    records { recordHash }
    revisionOf { ...Brief }
    supportedBy(first: $first) { totalCount nodes { ...Brief } }
  }
  log { size }
}"""
    + _STATEMENT
    + _CITED
)
ASK = (
    """query ($question: String!, $first: Int!) {
  ask(question: $question, first: $first) {
    answeredBy template note
    query { cypher columns rows truncated withheld }
    accepted { ...Behind }
    notYetAccepted { ...Behind }
  }
  log { size }
}
fragment Behind on AnswerSentence {
  text missing statement { ...Brief citations { ...Cited } }
}"""
    + _STATEMENT
    + _CITED
)
SEARCH = (
    """query ($words: String!, $first: Int!) {
  search(query: $words, first: $first) {
    byMeaning
    hits { statement { ...Brief citations { ...Cited } } }
  }
  log { size }
}"""
    + _STATEMENT
    + _CITED
)
SOURCE = """query ($name: String!) {
  documents(filter: {name: $name}, first: 2) {
    nodes { id title hash boundary byteLength mediaType }
  }
}"""
STATEMENTS = (
    """query ($first: Int!, $after: String) {
  statements(first: $first, after: $after) { nodes { ...Brief } pageInfo { hasNextPage endCursor } }
}"""
    + _STATEMENT
)
SOURCES = """query ($first: Int!, $after: String) {
  documents(filter: {held: true, registered: true}, first: $first, after: $after) {
    nodes { hash title mediaType byteLength boundary withheld recordKind } pageInfo { hasNextPage endCursor } } }"""
PACKETS = """query ($first: Int!, $after: String) {
  packets(orderBy: {field: LOG_INDEX, direction: DESC}, first: $first, after: $after) {
    nodes { recordHash producerId withheld } pageInfo { hasNextPage endCursor } } }"""
PACKET = """query ($name: String!) {
  packet(name: $name) {
    recordHash packetId packetType producerId recipientId expiresAt level boundaryCeiling signedBy withheld
    document
  }
}"""
