"""The types of C: what they are, how they lie in memory, which are compatible."""
