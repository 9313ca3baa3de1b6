"""The platform: store, submission, verification, consensus, reputation, log, GraphQL, HTTP and command line."""
