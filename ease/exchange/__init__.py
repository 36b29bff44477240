"""Descriptions in other languages: read, proven and written."""
