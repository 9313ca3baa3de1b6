-- Types of declines of verification requests.
CREATE VERTEX TYPE VerificationDecline IF NOT EXISTS;
CREATE EDGE TYPE DECLINES IF NOT EXISTS;
