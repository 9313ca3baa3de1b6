"""What the store is made of: where the database is, its schema, its rows and its errors."""
