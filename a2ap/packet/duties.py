"""Requirements of the text that no packet shows by itself: duties of readers, of claimants, and of this project.

A row has the requirements (CPKT), the section, the party with the duty, and how it is met here. `nature` is about a
packet as such, `consumer` about its reader, `thread` about several packets and the records about them.
"""

from dataclasses import dataclass

_TABLE = """
1 | Abstract | nature | a packet is for one recipient, task and moment: §4.1 asks for all three
2 | Abstract | nature | provenance, status, boundary and the rest are members, each with a rule of its own
3 | Abstract | consumer | contents are data: nothing here runs them, sends them or fetches a source that they name
4 | Abstract | nature | the format, its check and its hash are in a2ap/packet; the selection is decided elsewhere
5 | §0 | nature | no component of the author's architecture is needed
6 | §0 | project | every example here is synthetic
7 | §0.1 | thread | actor, act and authority: governor, contract, receipts, returns and dispositions
12 | §1-5 | nature | identified, attributable, hashed, and linked to receipts (§4.1, §4.3, §9)
14 | §1-7 | nature | open loops are members of a packet (§7)
15 | §1-8 | nature | content from outside is carried as data (§5.3)
17 | §1-10 | nature | a packet records the decisions of governance, and the check does not make them again
19 | §2 | nature | the terms of the text are the names used here
20 | §2 | nature | MUST is an error, SHOULD a warning, MAY a note where the text leaves something open
22 | §3 | nature | the lifecycle is not normative
63 | §5.1 | consumer | an unconfirmed item is a candidate: receiving says so
81 | §5.3 | consumer | nothing imperative from outside is executed: receiving hands it on quoted
102 | §11 | consumer | a return has no action that overwrites, deletes, prunes, merges, decays or reclassifies
103 | §11.1 | thread | link 1 of closure: returns
104 | §11.1 | thread | link 2 of closure: disposition
105 | §11.1 | thread | link 3 of closure: source-state inheritance
106 | §11.1 | thread | closure names the link, the packet and the following one where the loop is open
107 | §11.1 | thread | closure is checked over threads of any number of packets
108 | §12 | nature | a packet reaches CP-Core where no MUST of that level is broken
112 | §13 | nature | assembling, storing, transporting and enforcing are not here
113 | §14 | nature | nothing here needs MCP
115 | §15-2 | consumer | no code, command or call is executed because it is content
117 | §15-4 | project | validating parses, canonicalises, hashes and reports; assembling is another command
120 | §17.1 | nature | stale authority: superseded_by, lineage, expires_at, temporal_policy, valid_time
121 | §17.1 | nature | boundary leakage: §6-1 to §6-5, exclusions
122 | §17.1 | nature | false completeness: open loops, exclusions, budget, purpose
123 | §17.1 | nature | epistemic drift: three axes, branch_status, unknown; forwarding makes nothing surer
124 | §17.1 | nature | memory poisoning: the return contract, and closure over the returns
125 | §17.1 | thread | false closure: the three links, hashes and receipts
126 | §17.1 | nature | delivery repudiation: hashes, receipts as signed records
127 | §17.2 | claims | conformance is put in the place of no protection: reports and docs/reference/packets.md say so
130 | §18-3 | claims | no level is called a security guarantee: every report as JSON says so
131 | §18-4 | claims | our validator executes, fetches, assembles and decides nothing; a test watches it
134 | §18-7 | claims | no endorsement by the author is implied: docs/reference/packets.md says so
135 | §19 | project | SECURITY.md says where to report
136 | §19 | project | schemas, validator, examples and threat notes are shipped: docs/reference/packets.md
137 | App. A | nature | the minimal packet reaches CP-Core; a test says so
138 | App. B | nature | the build packet, repaired, reaches CP-Governed; a test says so
"""


@dataclass(frozen=True, slots=True)
class Duty:
    """A requirement that is no rule of a packet, the party with the duty, and how it is met."""

    requirement: str
    section: str
    whose: str
    met: str


def _read_row(row: str) -> Duty:
    number, section, whose, met = row.split(" | ")
    return Duty(f"CPKT-{int(number):02}", section, whose, met)


DUTIES: tuple[Duty, ...] = tuple(map(_read_row, _TABLE.strip().splitlines()))
