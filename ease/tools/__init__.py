"""What a user-written tool imports: arrays, values known only when the program runs, tables of results (docs/tools.md).

A tool is a Python file with a function `instrument(program)`, which says at which places of the program which analysis
functions are called, and with these functions.  They are translated into the host code that runs the program.
"""

from ease.model.results import Table
from ease.tools.analysis import Array
from ease.tools.requests import (
    ADDRESS,
    NUMBER,
    RESULT,
    RETURNED,
    TAKEN,
    TARGET,
    VALUE,
    argument,
    in_chunks,
    parameter,
    register,
)
from ease.tools.view import Block, Edge, Function, Instruction, Program, Reference, SystemCall

__all__ = [
    "ADDRESS", "NUMBER", "RESULT", "RETURNED", "TAKEN", "TARGET", "VALUE", "Array", "Block", "Edge", "Function",
    "Instruction", "Program", "Reference", "SystemCall", "Table", "argument", "in_chunks", "parameter", "register",
]  # fmt: skip
