"""Commands that run programs, and those about runs that are kept."""
