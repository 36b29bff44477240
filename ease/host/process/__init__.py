"""The process in which host code runs, and what its parent sees of it."""
