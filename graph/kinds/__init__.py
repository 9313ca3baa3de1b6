"""What each kind of message must satisfy, what it changes in the state of the log, and the rows that it writes."""
