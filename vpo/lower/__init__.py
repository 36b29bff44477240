"""Which legal RTLs have an effect: instructions, expansions, identities and detours, at least cost."""
