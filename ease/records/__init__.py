"""Records of runs: what a machine cannot compute is written down once, and runs are repeated from it (docs/replay.md)."""
