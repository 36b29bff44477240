"""From a description in YAML to what a `Machine` is made of, with the place of every mistake."""
