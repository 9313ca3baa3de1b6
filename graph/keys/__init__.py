"""Keys and their changes: registration, revocation, the effects on signed messages, and admission of agents."""
