"""Sweeps: the same programs measured on every combination of choices; docs/sweeps.md is the guide."""
