"""How reports become pictures."""
