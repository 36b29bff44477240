"""Measurements that are kept: one SQLite file, whose tables docs/store.md describes."""
