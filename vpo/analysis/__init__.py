"""What is known about a function or a program: control flow, liveness, references, transfers."""
