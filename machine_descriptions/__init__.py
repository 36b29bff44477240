"""One YAML file a machine: data, no code.  `default` names the one that is meant where none is."""
