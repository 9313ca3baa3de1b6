// Keys and indexes of answers to challenges.
CREATE CONSTRAINT challenge_answer_hash IF NOT EXISTS FOR (n:ChallengeAnswer) REQUIRE n.signed_hash IS UNIQUE;
CREATE INDEX challenge_answer_target IF NOT EXISTS FOR (n:ChallengeAnswer) ON (n.target_hash);
