"""Phases that choose instructions: combining, addressing modes, selects, predicates, simultaneous effects."""
