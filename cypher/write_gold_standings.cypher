// Notes the standing of gold labels, and which of them are in force.
UNWIND $rows AS row
MATCH (g:GoldLabel {signed_hash: row.signed_hash})
SET g.standing = row.standing, g.in_force = row.in_force, g.withdrawn = row.withdrawn, g.suspended = row.suspended
