"""Phases about loops: what is computed before them, how their variables step, how they are turned and unrolled."""
