"""From the tree of the syntax to the intermediate language: statements, expressions, conversions."""
