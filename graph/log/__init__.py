"""The node's log in the graph: its entries and receipts, the rows of a transaction, and news of its growth."""
