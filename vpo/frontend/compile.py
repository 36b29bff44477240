"""The front end as a whole: from a C file to a unit of the intermediate language."""

from __future__ import annotations

import sys
from collections.abc import Callable

from vpo import il
from vpo.frontend import preprocess as preprocessing
from vpo.frontend.c_options import USUAL, COptions
from vpo.frontend.context import Context
from vpo.frontend.cpp.directives import read
from vpo.frontend.cpp.tokens import quoted
from vpo.frontend.declare.declaration_rules import check_inline
from vpo.frontend.declare.declarations import declare, finish_tentative
from vpo.frontend.declare.functions import define_function
from vpo.frontend.declare.linker_symbols import definition_name, names_of_pragmas, tell_linker
from vpo.frontend.lower import dispatch
from vpo.frontend.scope import Symbol
from vpo.frontend.syntax import parse
from vpo.frontend.syntax.nodes import FuncDef
from vpo.frontend.syntax.statement_nodes import Assembly, FileAST, PassedOver
from vpo.frontend.warnings import diagnostics
from vpo.frontend.warnings.flags import ABOUT_OTHER_CODE
from vpo.frontend.warnings.unused import check_statics
from vpo.il.data_model import DataModel

RECURSION_LIMIT = 20 * diagnostics.NESTING_LIMIT  # no level of nesting takes more than 20 calls of Python functions

Warn = Callable[[diagnostics.Diagnostic], None]


def _read(path: str) -> str:
    try:
        return read(path)
    except OSError as problem:
        reason = problem.strerror or str(problem)
        raise diagnostics.CompileErrors([diagnostics.Diagnostic(path, 0, 0, "error", f"cannot read: {reason}")]) from None


def preprocess(
    path: str,
    model: DataModel,
    options: COptions = USUAL,
    *,
    source: str | None = None,
    warn: Warn | None = None,
    included: list[str] | None = None,
    macros: bool = False,
) -> str:
    """The text of a C file after preprocessing, with line markers; `source` stands for the file's contents.

    `included` receives the files that are included.  With `macros`, the text is instead the definitions of the macros that
    there are in the end.  Raises `CompileErrors`.
    """
    report = diagnostics.Reporter(path, warn, options.warnings)
    text = _read(path) if source is None else source
    result = preprocessing.run(preprocessing.Job(path, text, model, options), report, included, macros)
    if report.errors:
        raise diagnostics.CompileErrors(report.errors, None if report.is_fatal or macros else result)
    return result


def compile_c(
    path: str,
    model: DataModel,
    options: COptions = USUAL,
    *,
    source: str | None = None,
    preprocessed: str | None = None,
    warn: Warn | None = None,
    strict_aliasing: bool = False,
) -> il.Unit:
    """Compile a C file to a unit.

    With `strict_aliasing`, loads and stores say which types of C they are of, unless the file asks for the opposite.
    `source` stands for the file's contents; `preprocessed` for what `preprocess` gave, which is then not done again.
    `warn` receives the warnings that the options select.  Raises `CompileErrors` with everything that is wrong.
    """
    text = preprocessed
    if text is None:
        text = preprocess(path, model, options, source=source, warn=warn)
    standard = options.standard
    report = diagnostics.Reporter(path, warn, options.warnings)
    old_limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(old_limit, RECURSION_LIMIT))
    strict_aliasing = strict_aliasing and not text.startswith(preprocessing.MAY_ALIAS)
    ctx = Context(path, model, report, strict_aliasing, standard, dispatch)
    ctx.linkage.weak_names, aliases = names_of_pragmas(text)
    try:
        prelude = preprocessing.VA_LISTS[model.va_list]
        whole = f'{prelude}#line 1 {quoted(path)}\n{text.removeprefix(preprocessing.MAY_ALIAS)}{aliases}'
        tree = parse(whole, path, report, standard, passes_over=True)
        of_syntax = bool(report.errors)
        if of_syntax:  # there may be others; but these warnings might be about what was left out
            report.wanted -= ABOUT_OTHER_CODE
        if not any(error.message == diagnostics.NESTED_TOO_DEEPLY for error in report.errors):
            _translate(ctx, tree)
    finally:
        sys.setrecursionlimit(old_limit)
    if report.errors:
        raise diagnostics.CompileErrors(diagnostics.in_order(report.errors) if of_syntax else report.errors)
    return il.Unit(path, ctx.functions, list(ctx.data.values()))


def _translate(ctx: Context, tree: FileAST) -> None:
    ctx.notes.marks = tree.marks
    for node in tree.ext:
        ctx.coord = node.coord
        try:
            match node:
                case Assembly():
                    ctx.statement(node)
                case FuncDef():
                    define_function(ctx, node)
                case PassedOver():
                    ctx.file_scope.passed_over += node.names
                case _:
                    declare(ctx, node)
        except diagnostics.Recover:
            pass
        except RecursionError:
            ctx.report.error(ctx.coord, diagnostics.NESTED_TOO_DEEPLY)
    finish_tentative(ctx)
    _finish_functions(ctx)
    tell_linker(ctx)


def _finish_aliases(ctx: Context, symbols: dict[str, Symbol]) -> None:
    """Check that this file defines what has further names, and tell the linker of these."""
    functions, kind = {function.name for function in ctx.functions}, ctx.types.address
    for symbol, target, coord in ctx.linkage.aliases:
        if target not in functions and target not in ctx.data:
            ctx.report.error(coord, f"'{symbol.name}' aliased to undefined symbol '{target}'")
            continue
        found = next((s for s in ctx.linkage.externals.values() if definition_name(s) == target and s is not symbol), symbol)
        symbols[target] = found
        found.uses += 1
        if not symbol.static:
            ctx.add_data(il.Data(symbol.name, kind.size, kind.size, [il.AddressItem(0, target, 0)], weak=True))


def _finish_functions(ctx: Context) -> None:
    """Settle which functions the unit keeps to itself."""
    defined = {function.name for function in ctx.functions}
    symbols = {definition_name(symbol): symbol for symbol in ctx.linkage.externals.values() if symbol.defined}
    symbols |= {symbol.symbol: symbol for symbol in ctx.nesting.functions}
    _finish_aliases(ctx, symbols)
    for function in ctx.functions:
        symbol = symbols[function.name]
        function.static = symbol.static or symbol.inline_only or symbol.weak  # the linker knows it by the weak name
        function.shared = symbol.inline_only and not symbol.static
    if ctx.report.wanted:
        check_inline(ctx)
        check_statics(ctx)
    for symbol in ctx.linkage.externals.values():
        if symbol.static and symbol.kind == "function" and not symbol.defined and symbol.name not in defined:
            key = "undefined-internal" if symbol.uses else "unused-function:undefined"
            ctx.report.warning(symbol.coord, key, symbol.name)
