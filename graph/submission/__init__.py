"""The path of a message into the log and the graph, from the gate of quotas to the writer, and the rebuild."""
