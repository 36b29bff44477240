"""Running a linked program as host code: RTLs -> LLVM IR -> machine code in a child process."""
