// The numbers of declines of verification requests.
MATCH (n:VerificationDecline)
RETURN 'VerificationDecline' AS name, count(n) AS number
UNION
MATCH ()-[r:DECLINES]->()
RETURN 'DECLINES' AS name, count(r) AS number
