"""Place counters in a program, and compute all counts from them."""
