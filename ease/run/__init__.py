"""Runs: a program with counters and simulators, windows of it, wrong paths, the real machine."""
