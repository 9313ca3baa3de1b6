"""Kills a platform, its engine or both between the receipt of bytes and the answer, and checks what is found then."""
