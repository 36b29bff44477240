"""Reports of instructions: what was executed, where, with which operands."""
