"""What RTLs mean: the interpreter, against which everything faster is checked."""
