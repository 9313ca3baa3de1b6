"""What is taken back, erased, or kept only for a time: retractions, redactions and retention."""
