"""From units to a program at its target addresses, and back to text: linking, archives, assembly."""
