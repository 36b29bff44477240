"""Declarations: from what is written to types, objects, functions and what they begin with."""
