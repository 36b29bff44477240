"""One YAML file a machine: data, no code."""
