"""Parts of the store: the endpoint of the database, its schema, its rows and its errors."""
