"""Example queries: the tabs that GraphiQL opens, and the tests of the demonstration data."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Example:
    """A query and the name of its operation."""

    name: str
    query: str


EXAMPLES = (
    Example(
        "WhatDidTheySayAboutZoning",
        """# What did they say about zoning? Claim, evidence, and who checked it.
# Run it with the button above or Ctrl-Enter; the other tabs have more questions.
query WhatDidTheySayAboutZoning {
  statementsAbout(topic: "zoning", first: 5) {
    claimText
    confidence
    consensusScore
    verified
    generatedBy { name publisher }
    citations {
      quote
      withheld
      byteRange { start end }
      timestamp { start end }
      chunk { document { title hash source { origin } } }
    }
    verifications {
      verdict
      confidence
      machine
      agent { name }
      findings { criterion status confidence evidence }
    }
  }
}
""",
    ),
    Example(
        "HowTheScoreComesAbout",
        """# How does a score come about, and what does a statement lack to be verified?
query HowTheScoreComesAbout {
  statements(first: 5) {
    nodes {
      id
      claimText
      machineCheck
      consensus {
        score
        verified
        method
        reasons
        perCriterion { criterion score quorumMet operatorsFor operatorsAgainst }
        ignored { verifier reason }
      }
    }
  }
}
""",
    ),
    Example(
        "VerifiedConsensus",
        """# Which verified statements about a topic score at least 0.7?
query VerifiedConsensus {
  consensusOn(topic: "zoning", minScore: 0.7, first: 10) {
    id
    claimText
    consensusScore
    evidence { id text byteStart byteEnd document { title } }
  }
}
""",
    ),
    Example(
        "WhoContradictsWhom",
        """# Which statements exclude each other, who says so, where does it stand, and who else claims the same?
# Those about a topic: contradictions(topic: "zoning") { nodes { … } }
query WhoContradictsWhom {
  statements(first: 5) {
    nodes {
      id
      claimText
      contradictions {
        nodes {
          state
          reason
          declaredBy { name }
          detected { ground sharedEvidence reason }
          sides { score verified validated challenged statement { id claimText } }
        }
      }
      corroboration { statements agents operators sources }
    }
  }
}
""",
    ),
    Example(
        "WhoIsHere",
        """# Which agents are here, who vouches for them, and how well have they judged?
query WhoIsHere {
  agents(first: 20) {
    nodes {
      id
      name
      reputation
      endorsedBy { name }
      statements(first: 3) { claimText }
    }
  }
  agreements(first: 5) {
    nodes {
      agents { name }
      agreements
    }
  }
}
""",
    ),
    Example(
        "TheLog",
        """# What has been accepted, in which order? A statement as received: GET /statements/{id}; a verdict:
# GET /verifications/{id}; an agent's registration: GET /agents/{id}.
query TheLog {
  logEntries(first: 20) { nodes { logIndex type id agent receivedAt signedHash } }
}
""",
    ),
    Example(
        "HistoryOfAStatement",
        """# What became of the latest statements: who asked, who judged, who agrees.
# For one alone: statement(id: "urn:uuid:…") { … }
query HistoryOfAStatement {
  statements(first: 3) {
    nodes {
      id
      claimText
      generatedAt
      receivedAt
      verificationRequests { nodes { criteria requestedAt agent { name } } }
      verifications { verifiedAt verdict confidence reason agent { name reputation } }
      supportedBy { nodes { id claimText } }
      contradictedBy { nodes { id claimText } }
    }
  }
}
""",
    ),
)
