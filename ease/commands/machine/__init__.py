"""`ease machine`: what can be said of a description."""
