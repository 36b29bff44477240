"""vpo: a retargetable compiler back end that works on register transfer lists."""
