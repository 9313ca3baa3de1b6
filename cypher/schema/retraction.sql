-- Types of retractions.
CREATE VERTEX TYPE Retraction IF NOT EXISTS;
