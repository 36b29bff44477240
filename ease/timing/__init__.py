"""An estimate of the cycles that a run takes; docs/timing.md is the definition."""
