"""The simulators as LLVM IR, specialised to one memory system: the fast half of the package."""
