"""Several programs on one machine: their traces merged in virtual time, on one memory system with physical pages."""
