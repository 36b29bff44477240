"""A page on which one changes a machine and a program, and sees what comes of it."""
