"""Samples of runs: when a run is measured, and what the samples tell of the whole."""
