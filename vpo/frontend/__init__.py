"""The C front end: C source to the intermediate language `vpo.il`."""

from vpo.frontend.compile import compile_c, preprocess
from vpo.frontend.warnings.diagnostics import CompileErrors, Diagnostic

__all__ = ["CompileErrors", "Diagnostic", "compile_c", "preprocess"]
