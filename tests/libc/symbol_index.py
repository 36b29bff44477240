"""Which source file of the C library defines each external symbol: written into `symbols.txt`, checked by a test."""

from __future__ import annotations

from pathlib import Path
from textwrap import wrap

from vpo.frontend.c_options import COptions
from vpo.frontend.preprocess import Job, run
from vpo.frontend.syntax import parse as parse_text
from vpo.frontend.syntax.nodes import Decl, FuncDecl, FuncDef, Struct
from vpo.frontend.syntax.statement_nodes import FileAST
from vpo.frontend.warnings.diagnostics import CompileErrors, Reporter
from vpo.il.data_model import DataModel
from vpo.libc import HEADERS, INDEX

HERE = HEADERS.parent

# The model decides little about which symbols there are; this is the most common one.
# Addresses are of 64 bits since the library has more on such machines: integers of 128 bits.
_SIZES = {"char": 1, "short": 2, "int": 4, "long": 8, "llong": 8, "float": 4, "double": 8, "ldouble": 8, "pointer": 8}
MODEL = {
    "__CONTEXT_SIZE__": "64",
    "__builtin_va_list": "char *",
} | {f"__SYS_{name}": "1" for name in ("exit", "read", "write", "open", "close", "lseek", "brk", "unlink", "rename")}


def parse(text: str, name: str, model: dict[str, str] = MODEL) -> FileAST:
    """Preprocess and parse C text; `name` is its file, in whose folder it may include others."""
    report = Reporter(name)
    folders = (str(HERE / "include"), str(Path(name).parent))
    options = COptions(include_paths=folders, defines=tuple(model.items()))
    result = run(Job(name, text, DataModel(False, True, _SIZES, _SIZES), options), report)
    if report.errors:
        raise CompileErrors(report.errors)
    unit = parse_text(result, name, report)
    if report.errors:
        raise CompileErrors(report.errors)
    return unit


def defined_symbols(unit: FileAST) -> list[str]:
    """Name what a translation unit defines for others."""
    names = []
    for part in unit.ext:
        declaration = part.decl if isinstance(part, FuncDef) else part
        if not isinstance(declaration, Decl) or declaration.name is None or "static" in declaration.storage:
            continue
        is_object = not isinstance(declaration.type, FuncDecl) and "extern" not in declaration.storage
        if isinstance(part, FuncDef) or (is_object and not isinstance(declaration.type, Struct)):
            names.append(declaration.name)
    return names


def build_index() -> dict[str, str]:
    """Map each external symbol to the name of its source file."""
    index: dict[str, str] = {}
    for path in sorted((HERE / "src").glob("*.c")):
        for symbol in defined_symbols(parse(path.read_text(), str(path))):
            if index.setdefault(symbol, path.name) != path.name:
                raise ValueError(f"{symbol} is defined in {index[symbol]} and in {path.name}")
    return dict(sorted(index.items()))


def index_text() -> str:
    """Write the index as the file that holds it."""
    symbols: dict[str, list[str]] = {}
    for symbol, file in build_index().items():
        symbols.setdefault(file, []).append(symbol)
    rows = [f"{file}: {' '.join(found)}" for file, found in sorted(symbols.items())]
    lines = [line for row in rows for line in wrap(row, 120, subsequent_indent="    ", break_on_hyphens=False)]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    INDEX.write_text(index_text())
