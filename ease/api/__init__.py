"""The interface to Python, `import ease`: docs/python.md is its guide."""
