"""Phases on SSA form that find values, and SSA form itself."""
