"""The generated pages of docs/reference: settings, problems and GraphQL operations. `make pages` writes them."""
