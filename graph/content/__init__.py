"""The content store: bytes by their SHA-256, in a folder or a bucket."""
