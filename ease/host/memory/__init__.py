"""Instruments that follow the references of a program to memory: caches, grids of caches, write buffers.

`facts` says what they need to know of a program.  `check_plan` plans the checks of a function, with the help of `coalescing`,
`known_lines` and `switch_checks`; `check_writer` writes them.  Each other module is an instrument.
"""
