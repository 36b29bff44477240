"""From RTLs to LLVM IR."""
