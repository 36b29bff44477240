"""Phases on complete code: delay slots, late results, the reach of branches, stacks, tails."""
