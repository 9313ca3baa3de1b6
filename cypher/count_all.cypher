// The numbers of nodes of each label and of relationships of each type, from which the bound on queries is made.
MATCH (n:AdmissionPolicy)
RETURN 'AdmissionPolicy' AS name, count(n) AS number
UNION
MATCH (n:Agent)
RETURN 'Agent' AS name, count(n) AS number
UNION
MATCH (n:AgentFamily)
RETURN 'AgentFamily' AS name, count(n) AS number
UNION
MATCH (n:Chunk)
RETURN 'Chunk' AS name, count(n) AS number
UNION
MATCH (n:Document)
RETURN 'Document' AS name, count(n) AS number
UNION
MATCH (n:Epoch)
RETURN 'Epoch' AS name, count(n) AS number
UNION
MATCH (n:Equivocation)
RETURN 'Equivocation' AS name, count(n) AS number
UNION
MATCH (n:Item)
RETURN 'Item' AS name, count(n) AS number
UNION
MATCH (n:Key)
RETURN 'Key' AS name, count(n) AS number
UNION
MATCH (n:KeyEvent)
RETURN 'KeyEvent' AS name, count(n) AS number
UNION
MATCH (n:LogEntry)
RETURN 'LogEntry' AS name, count(n) AS number
UNION
MATCH (n:LogHead)
RETURN 'LogHead' AS name, count(n) AS number
UNION
MATCH (n:Pack)
RETURN 'Pack' AS name, count(n) AS number
UNION
MATCH (n:OperatorRecord)
RETURN 'OperatorRecord' AS name, count(n) AS number
UNION
MATCH (n:Packet)
RETURN 'Packet' AS name, count(n) AS number
UNION
MATCH (n:PacketRecord)
RETURN 'PacketRecord' AS name, count(n) AS number
UNION
MATCH (n:Passport)
RETURN 'Passport' AS name, count(n) AS number
UNION
MATCH (n:Peer)
RETURN 'Peer' AS name, count(n) AS number
UNION
MATCH (n:PeerCheckpoint)
RETURN 'PeerCheckpoint' AS name, count(n) AS number
UNION
MATCH (n:Policy)
RETURN 'Policy' AS name, count(n) AS number
UNION
MATCH (n:Reliability)
RETURN 'Reliability' AS name, count(n) AS number
UNION
MATCH (n:Source)
RETURN 'Source' AS name, count(n) AS number
UNION
MATCH (n:Statement)
RETURN 'Statement' AS name, count(n) AS number
UNION
MATCH (n:Step)
RETURN 'Step' AS name, count(n) AS number
UNION
MATCH (n:Verification)
RETURN 'Verification' AS name, count(n) AS number
UNION
MATCH (n:VerificationRequest)
RETURN 'VerificationRequest' AS name, count(n) AS number
UNION
MATCH ()-[r:ABOUT]->()
RETURN 'ABOUT' AS name, count(r) AS number
UNION
MATCH ()-[r:ATTRIBUTED_TO]->()
RETURN 'ATTRIBUTED_TO' AS name, count(r) AS number
UNION
MATCH ()-[r:CHALLENGED]->()
RETURN 'CHALLENGED' AS name, count(r) AS number
UNION
MATCH ()-[r:CITES]->()
RETURN 'CITES' AS name, count(r) AS number
UNION
MATCH ()-[r:CONTRADICTS]->()
RETURN 'CONTRADICTS' AS name, count(r) AS number
UNION
MATCH ()-[r:DERIVED_FROM]->()
RETURN 'DERIVED_FROM' AS name, count(r) AS number
UNION
MATCH ()-[r:DISPOSES]->()
RETURN 'DISPOSES' AS name, count(r) AS number
UNION
MATCH ()-[r:ECHOES]->()
RETURN 'ECHOES' AS name, count(r) AS number
UNION
MATCH ()-[r:ENDORSED]->()
RETURN 'ENDORSED' AS name, count(r) AS number
UNION
MATCH ()-[r:GENERATED]->()
RETURN 'GENERATED' AS name, count(r) AS number
UNION
MATCH ()-[r:GENERATED_BY]->()
RETURN 'GENERATED_BY' AS name, count(r) AS number
UNION
MATCH ()-[r:HAS_ITEM]->()
RETURN 'HAS_ITEM' AS name, count(r) AS number
UNION
MATCH ()-[r:HAS_KEY]->()
RETURN 'HAS_KEY' AS name, count(r) AS number
UNION
MATCH ()-[r:HAS_STEP]->()
RETURN 'HAS_STEP' AS name, count(r) AS number
UNION
MATCH ()-[r:HELD_BY]->()
RETURN 'HELD_BY' AS name, count(r) AS number
UNION
MATCH ()-[r:INFORMED_BY]->()
RETURN 'INFORMED_BY' AS name, count(r) AS number
UNION
MATCH ()-[r:OF]->()
RETURN 'OF' AS name, count(r) AS number
UNION
MATCH ()-[r:PART_OF]->()
RETURN 'PART_OF' AS name, count(r) AS number
UNION
MATCH ()-[r:PERFORMED_BY]->()
RETURN 'PERFORMED_BY' AS name, count(r) AS number
UNION
MATCH ()-[r:RECORD_OF]->()
RETURN 'RECORD_OF' AS name, count(r) AS number
UNION
MATCH ()-[r:REGISTERED]->()
RETURN 'REGISTERED' AS name, count(r) AS number
UNION
MATCH ()-[r:REQUESTED_VERIFICATION]->()
RETURN 'REQUESTED_VERIFICATION' AS name, count(r) AS number
UNION
MATCH ()-[r:REVISION_OF]->()
RETURN 'REVISION_OF' AS name, count(r) AS number
UNION
MATCH ()-[r:SOURCED_FROM]->()
RETURN 'SOURCED_FROM' AS name, count(r) AS number
UNION
MATCH ()-[r:SPECIALIZATION_OF]->()
RETURN 'SPECIALIZATION_OF' AS name, count(r) AS number
UNION
MATCH ()-[r:SUPERSEDES]->()
RETURN 'SUPERSEDES' AS name, count(r) AS number
UNION
MATCH ()-[r:SUPPORTS]->()
RETURN 'SUPPORTS' AS name, count(r) AS number
UNION
MATCH ()-[r:TARGETS]->()
RETURN 'TARGETS' AS name, count(r) AS number
UNION
MATCH ()-[r:USED]->()
RETURN 'USED' AS name, count(r) AS number
UNION
MATCH ()-[r:VALIDATES]->()
RETURN 'VALIDATES' AS name, count(r) AS number
UNION
MATCH ()-[r:VERIFIED]->()
RETURN 'VERIFIED' AS name, count(r) AS number
