// The numbers of answers to challenges.
MATCH (n:ChallengeAnswer)
RETURN 'ChallengeAnswer' AS name, count(n) AS number
