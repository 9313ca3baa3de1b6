"""The language model of an endpoint, and the embeddings that are computed in this process."""
