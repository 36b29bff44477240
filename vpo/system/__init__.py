"""What a running program may ask of the system, and what can go wrong; shared by interpreter and host code."""
