"""The code expander, and one file a phase."""
