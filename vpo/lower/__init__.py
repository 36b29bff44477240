"""Which legal RTLs have an effect: instructions, expansions, rules and detours, at least cost."""
