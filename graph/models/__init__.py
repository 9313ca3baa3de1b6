"""A client for language models behind an OpenAI-compatible endpoint, and sentence embeddings computed here."""
