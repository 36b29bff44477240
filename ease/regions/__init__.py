"""Regions: parts of a program, with all that is called in them, that are reported apart."""
