"""Cache simulators, usable without the rest."""
