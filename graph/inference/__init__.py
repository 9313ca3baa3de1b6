"""What independent answers say together: the truth of each claim, and how reliable each that answered is."""
