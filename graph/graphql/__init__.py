"""The GraphQL endpoint: A2AP §5.1's schema and the platform's additions, one noun per file."""
