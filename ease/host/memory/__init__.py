"""Instruments that follow the references of a program to memory: caches, grids of caches, write buffers."""
