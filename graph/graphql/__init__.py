"""The GraphQL door: A2AP §5.1's schema and what the platform adds to it, one noun a file."""
