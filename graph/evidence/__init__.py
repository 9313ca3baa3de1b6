"""Sources and what they say: bytes that are held, and the machine's comparison of what is cited with them."""
