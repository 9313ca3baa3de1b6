"""Pages for people: a page is a GraphQL query, a template for its data, and links to the data for programs."""
