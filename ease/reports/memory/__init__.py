"""Reports of references and of simulators of caches."""
