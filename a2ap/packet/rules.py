"""Every rule of the text that a validator can check, in the order of the text.

A row has the number of the rule, the requirements (CPKT) that it covers, the lowest level that needs it, its severity,
and its words. A number is the section with the rule's own number there (`6-2`) or with its member (`5.1-kind`). §12
puts the shape and the words at CP-Core; sanitisation, use lists, governor, contract at CP-Governed; hashes and receipts
at CP-Audited. A requirement that §12 lists for a level without a weakening word is a MUST there. `claim` marks rules
that no level needs and every claim of one does (§18). Rules for consumers and implementers are in `a2ap.packet.duties`.
"""

from a2ap.packet.finding import Rule, Severity
from a2ap.packet.vocabulary import Level

_TABLE = """
1-9 | 16 | core | SHOULD | members that the text has not are namespaced and stand in ext
2.1 | 21 | core | MUST | kind, epistemic_status and promotion_state are three axes; no word of one stands in another
3-4 | 23 | core | SHOULD | expired or no longer valid content is not handed on as if it were valid
4 | 56 11 | core | MUST | a member that is there is of the type that the text shows
4.1-spec | 25 | core | MUST | spec is exactly context-packet/0.3
4.1-packet_id | 26 | core | MUST | packet_id is there, begins with cpk_ and is one word
4.1-created_at | 27 | core | MUST | created_at is there, an ISO 8601 time in UTC
4.1-producer | 28 | core | MUST | producer is there with id and type: assembler, agent, human, gateway, workflow, system
4.1-governor | 29 | core | SHOULD | governor is there, unless no governance was applied
4.1-governor.mode | 29 | core | MUST | the mode of a governor is advisory, enforce, human_review or audit_only
4.1-recipient | 30 | core | MUST | recipient is there with id and type
4.1-recipient.one | 30 | core | SHOULD | a packet is for one recipient; a broadcast is an anti-pattern
4.1-purpose | 31 10 | core | MUST | purpose is there and says something
4.1-task_ref | 32 | core | SHOULD | task_ref is there, and a machine can resolve it
4.1-packet_type | 33 | core | SHOULD | packet_type is there
4.1-scope | 34 | core | MUST | scope is there
4.1-scope.workspace | 34 | core | MUST | scope.workspace is there
4.1-scope.boundary_ceiling | 35 | core | MUST | scope.boundary_ceiling is there, a class of §6
4.1-scope.expires_at | 36 | core | SHOULD | scope.expires_at is there, and lies after created_at
4.1-scope.use | 37 | core | SHOULD | scope.allowed_use and scope.disallowed_use are there
4.1-budget | 38 8 | core | SHOULD | budget is there, and is kept
4.1-lineage | 39 | core | MUST | lineage is there and names the state that the packet was assembled from
4.1-lineage.supersedes_packet | 39 | core | MUST | lineage.supersedes_packet names another packet
4.1-reproducibility | 40 | governed | SHOULD | reproducibility is there
4.1-temporal_policy | 41 | core | SHOULD | temporal_policy is there, and its moment is not after created_at
4.1-staleness_policy | 41 | core | MUST | staleness_policy is use_as_is, revalidate_before_action or refuse_if_stale
4.1-items | 42 | core | MUST | items is a list of at least one item
4.1-open_loops | 43 90 | core | SHOULD | open_loops is there
4.1-exclusions | 44 | core | MAY | exclusions may be there
4.1-receipts | 45 | core | SHOULD | receipts are there, in the packet or as records beside it
4.1-return_contract | 46 | core | SHOULD | return_contract is there
4.1-ext | 47 | core | MUST | ext holds only namespaced members
4.1-ext.core | 47 133 | core | MUST | no extension redefines a member of the text
4.2 | 48 133 | core | MUST | uses are words of the ladder or namespaced ones that ext maps to it; none is in both lists
4.2-ladder | 49 | core | SHOULD | a grant is its highest permitted rung, and names all above it as prohibited
4.3-packet_hash | 50 55 | audited | MUST | packet_hash is the hash of the canonicalised packet
4.3-packet_hash.own | 50 55 | core | MUST | a packet_hash of 64 digits is that of the packet
4.3-signature | 50 55 | core | MUST | a signature of the packet that is there holds
4.3-hash_algorithm | 51 | audited | MUST | hash_algorithm is one that is known: blake2b-256 or sha-256
4.3-canonicalizer_version | 52 | audited | MUST | canonicalizer_version is there and known: cpk-canon/1
4.3-generator_version | 53 | audited | MUST | generator_version is there
4.3-source_state_refs | 54 | audited | MUST | source_state_refs name the state that the packet was assembled from
5.1-item_id | 57 | core | MUST | item_id is there, and unique in the packet
5.1-kind | 58 | core | MUST | kind is there, a word of the text
5.1-content | 59 | core | MUST | content is there: text, or an object with uri and media_type, or with quoted data
5.1-content.artifact | 59 | core | SHOULD | artifacts, and nothing else, are objects with uri and media_type
5.1-epistemic_status | 60 9 | core | MUST | epistemic_status is there, a word of the text
5.1-epistemic_status.unknown | 61 | core | SHOULD | unknown has low confidence and no high stakes
5.1-promotion_state | 62 | core | SHOULD | promotion_state is there, a word of the text
5.1-promotion_state.word | 62 | core | MUST | promotion_state is a word of the text
5.1-promotion_state.tracked | 62 | governed | MUST | promotion_state is there where the substrate tracks it
5.1-confidence | 64 9 | core | MUST | confidence is there: low, medium or high
5.1-stakes | 65 | core | SHOULD | stakes is there
5.1-stakes.word | 65 | core | MUST | stakes is low, medium or high
5.1-stakes.escalation | 65 | core | SHOULD | high stakes with low confidence are escalated
5.1-provenance | 66 | core | MUST | provenance is there
5.1-provenance.source | 66 | core | MUST | provenance.source is there
5.1-provenance.author | 67 | core | MUST | provenance.author begins with human:, agent:, system:, org: or unknown:
5.1-provenance.author.trust | 67 | core | SHOULD | author and trust agree on the author
5.1-provenance.recorded_at | 68 | core | MUST | provenance.recorded_at is there, a time
5.1-provenance.trust | 69 | core | MUST | provenance.trust is there, a word of the text
5.1-valid_time | 70 | core | SHOULD | valid_time is there
5.1-valid_time.period | 70 | core | MUST | valid_time is a period that does not end before it begins
5.1-supersedes | 71 | core | MUST | supersedes names something else
5.1-superseded_by | 72 | core | MUST | an item known to be superseded is left out, or marked superseded with a pointer
5.1-boundary | 73 | core | MUST | boundary is there, a class of §6
5.1-reopen_conditions | 74 | core | MAY | reopen_conditions may be there
5.1-branch_status | 75 | core | MUST | branch_status is a word of the text
5.1-branch_status.settled | 75 | core | SHOULD | an item that is not canonical is not labelled as settled truth
5.1-use_guidance | 76 | core | SHOULD | use_guidance is there
5.1-ext | 77 | core | MUST | the ext of an item holds only namespaced members
5.2 | 78 59 | core | SHOULD | content is the part that changes behaviour: no transcript, and not the whole source
5.3-trust | 79 | governed | MUST | content from outside has trust external, verified_external, client_provided, unknown
5.3-wrap | 80 118 | governed | MUST | external content with imperative language is wrapped as data
5.3-role | 80 | governed | SHOULD | external content has no role in the task that makes it an instruction
6 | 82 133 | core | MUST | boundaries are classes of §6
6-1 | 83 | core | MUST | the ceiling equals or exceeds the highest boundary of an item
6-2 | 84 73 | core | MUST | no item is above the ceiling
6-3 | 85 13 | core | MUST | a forwarded packet or item is preserved or restricted, never relaxed
6-4 | 86 | core | MUST | safety-sensitive content does not go to autonomous recipients without human review
6-5 | 87 37 | governed | MUST | private, legal-, client- and ip-sensitive packets list allowed and disallowed uses
6-6 | 88 | core | MUST | a local class of boundary is mapped to a class of §6
7 | 89 | core | MUST | an open loop names its open question
7-members | 89 | core | SHOULD | an open loop has an id of its own and the other members of the text
7-present | 90 109 | governed | MUST | open loops are declared, if only as none
8 | 91 | core | MUST | an exclusion says why, and how many of which class
8-content | 91 | core | MUST | an exclusion does not disclose the content that it leaves out
8-reason | 92 | core | MAY | the reasons of an exclusion are an open list
9 | 93 | core | MUST | a receipt has an id, an event, a time and an actor
9-event | 94 | core | MAY | the events of receipts are an open list
9-order | 93 | core | SHOULD | a receipt is there once, and not older than its packet
9-hash | 95 110 132 | audited | MUST | receipts are there, in the packet or beside it, and echo its hash
9-log | 96 | audited | SHOULD | delivery and use are on record where that is possible
9-observability | 93 110 | audited | SHOULD | a receipt names its entry in an observability log
10 | 97 | core | MAY | the types of packets are an open list
11 | 98 | core | MUST | the members of a return contract are of the types of the text
11-contract | 109 | governed | MUST | a return contract says if updates may be proposed, and if they need promotion
11-pair | 100 | core | MUST | no other member than may_propose_memory_updates and promotion_required speaks of writing
11-promotion | 101 24 | core | SHOULD | proposals need promotion
11-consistent | 98 | core | SHOULD | a contract does not expect an output that it forbids
11-return | 101 98 | core | MUST | a return has nothing that its contract forbids, and proposes only where it may
11-trace | 99 | core | MUST | where a trace is required, the return names one
12-governor | 109 29 | governed | MUST | a governor is named, with its mode
12-reproducibility | 110 40 | audited | MUST | reproducibility is there
12-level | 111 128 | claim | MUST | a level that is claimed is one of CP-Core, CP-Governed and CP-Audited
15-1 | 114 18 | core | SHOULD | a packet grants nothing and holds nothing to be run
15-3 | 116 | core | SHOULD | an artifact is referred to so that fetching it stays the consumer's decision
15-5 | 118 | core | MUST | quoted data are not unwrapped
17.1 | 119 | core | SHOULD | no member that a model will read is written to steer it
18-2 | 129 | claim | MUST | CP-Governed is claimed only where it is reached
18-5 | 132 | claim | MUST | CP-Audited is claimed only where it is reached
18-6 | 133 | claim | MUST | conformance is claimed only where CP-Core is reached
"""

_LEVELS = {"core": Level.CORE, "governed": Level.GOVERNED, "audited": Level.AUDITED, "claim": None}
_SEVERITIES = {"MUST": Severity.ERROR, "SHOULD": Severity.WARNING, "MAY": Severity.NOTE}


def _read_row(row: str) -> Rule:
    number, requirements, level, severity, text = row.split(" | ")
    named = tuple(f"CPKT-{int(one):02}" for one in requirements.split())
    return Rule(number, named, _LEVELS[level], _SEVERITIES[severity], text)


RULES: dict[str, Rule] = {rule.number: rule for rule in map(_read_row, _TABLE.strip().splitlines())}
