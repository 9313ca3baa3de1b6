-- Types of redactions.
CREATE VERTEX TYPE Redaction IF NOT EXISTS;
