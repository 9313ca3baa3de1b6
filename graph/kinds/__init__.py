"""The conditions for each kind of message, its changes to the state of the log, and the rows that it writes."""
