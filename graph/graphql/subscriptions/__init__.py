"""What can be waited for, a file for each event; `graph.graphql.subscription` is the root."""
