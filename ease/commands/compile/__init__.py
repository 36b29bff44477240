"""The command line of `easecc`, and what compiling and linking need of it."""
