"""Phases, mostly one file each; `driver.py` runs them."""
