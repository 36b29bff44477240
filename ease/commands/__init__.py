"""The commands: they read a command line, call, and print."""
