"""Subscriptions, one file per event; `graph.graphql.subscription` is the root."""
