-- Types of answers to challenges.
CREATE VERTEX TYPE ChallengeAnswer IF NOT EXISTS;
