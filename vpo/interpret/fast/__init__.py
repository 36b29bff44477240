"""A faster interpreter, which compiles RTLs to Python."""
