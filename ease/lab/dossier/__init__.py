"""Dossiers: what proposed instructions are worth over a suite of programs, in one folder; docs/dossier.md is the guide."""
