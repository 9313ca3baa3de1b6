"""Joint estimates from independent answers: the truth of each claim, and the reliability of each worker."""
