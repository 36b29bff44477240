"""Weak symbols, versions of symbols, and functions that run before and after main: what the linker is told of them."""

from __future__ import annotations

import re
import zlib

from vpo import il
from vpo.frontend.context import Context
from vpo.frontend.declare.constant_expressions import constant_expression
from vpo.frontend.scope import Symbol
from vpo.frontend.syntax.nodes import Constant, Decl
from vpo.frontend.types.types import Func
from vpo.link.symbols import DEFAULT_PRIORITY, KINDS, object_name

# A version of a symbol, in parts that make one string; @@ is the version that programs are linked with.
_VERSION = re.compile(r'\b(?:__)?asm(?:__)?\s*\(((?:\s*"[^"\n]*")+)\s*\)')
_DEFAULT_VERSION = re.compile(r"\s*\.symver\s+(\w+)\s*,\s*(\w+)@@")
_PRAGMA = re.compile(r"^#pragma weak (\w+)(?: ?= ?(\w+))?", re.MULTILINE)  # as the preprocessor leaves it


def note_attributes(ctx: Context, node: Decl, symbol: Symbol) -> None:
    """Note what the attributes of a declaration with linkage say."""
    attributes = node.attributes
    if "section" in attributes:
        symbol.section = section_of(node)
    if ("weak" in attributes or symbol.name in ctx.linkage.weak_names) and not symbol.weak:
        if symbol.static:
            ctx.report.fail(node.coord, f"weak declaration of '{symbol.name}' must be public")
        symbol.weak = True
        ctx.linkage.weak.append(symbol)
    for kind in KINDS:
        if kind in attributes:
            if not isinstance(symbol.type, Func):
                ctx.report.fail(node.coord, f"attribute '{kind}' is for functions only")
            priority = DEFAULT_PRIORITY
            if attributes[kind]:
                priority = constant_expression(ctx, attributes[kind][0], f"{kind} priority")
            if not 0 <= priority <= DEFAULT_PRIORITY:
                ctx.report.fail(node.coord, f"{kind} priorities must be integers from 0 to {DEFAULT_PRIORITY}")
            symbol.uses += 1
            ctx.linkage.run_by_start[kind, symbol.name] = priority


def section_of(node: Decl) -> tuple[str, str]:
    """Return the section that a declaration wants an object in, '' if none, and the file and line of the declaration."""
    match node.attributes.get("section"):
        case [Constant(value=written), *_]:
            return written[1:-1], f"{node.coord.file}:{node.coord.line}"
    return "", ""


def names_of_pragmas(text: str) -> tuple[frozenset[str], str]:
    """Return what `#pragma weak NAME` names in a preprocessed text, and as C the aliases of others and of versions."""
    names, aliases = set[str](), ""
    for match in _PRAGMA.finditer(text) if "#pragma weak" in text else ():
        if match[2]:
            declared = len(re.findall(rf"\b{match[1]}\b", text)) > 1
            kind = match[1] if declared else match[2]
            aliases += f'extern __typeof__({kind}) {match[1]} __attribute__((weak, alias("{match[2]}")));\n'
        else:
            names.add(match[1])
    return frozenset(names), aliases + _versions(text)


def _versions(text: str) -> str:
    """Return as C the names that `.symver` gives to functions of a preprocessed text, for programs that are linked now."""
    aliases = ""
    for match in _VERSION.finditer(text) if ".symver" in text else ():
        found = _DEFAULT_VERSION.match("".join(re.findall(r'"([^"]*)"', match[1])))
        if found is not None and found[1] != found[2]:
            aliases += f'extern __typeof__({found[1]}) {found[2]} __attribute__((alias("{found[1]}")));\n'
    return aliases


def definition_name(symbol: Symbol) -> str:
    """Return the name by which the linker knows what this file defines."""
    return f"{symbol.symbol}.weak" if symbol.weak and symbol.symbol == symbol.name else symbol.symbol


def weak_address(ctx: Context, symbol: Symbol) -> il.Expr:
    """Return the address of something that may be nowhere: it is read, so that nobody concludes that it is not 0."""
    kind, name = ctx.types.address, f"{symbol.symbol}.address"
    ctx.add_data(il.Data(name, kind.size, kind.size, [il.AddressItem(0, symbol.symbol, 0)], static=True))
    return il.Load(kind, il.AddrGlobal(kind, name), True)


def tell_linker(ctx: Context) -> None:
    """Add the objects that tell the linker of weak names, and of functions that run before or after main."""
    kind = ctx.types.address
    aliases = [symbol for symbol, _, _ in ctx.linkage.aliases]
    for symbol in ctx.linkage.weak:
        if symbol in aliases:
            continue
        items: list[il.Item] = [il.AddressItem(0, definition_name(symbol), 0)] if symbol.defined else []
        ctx.add_data(il.Data(symbol.symbol, kind.size, kind.size, items, weak=True))
    unit = zlib.crc32(ctx.file.encode(errors="replace"))
    for (what, name), priority in ctx.linkage.run_by_start.items():
        symbol = ctx.linkage.externals[name]
        if symbol.defined:
            named = object_name(what, priority, symbol.symbol, unit)
            ctx.add_data(il.Data(named, kind.size, kind.size, [il.AddressItem(0, symbol.symbol, 0)], constant=True))
