"""Kills a platform, its engine or both between the receipt of bytes and the response, and checks the state after it."""
