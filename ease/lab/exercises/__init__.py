"""Exercises for a course, each with a check of its answer."""
