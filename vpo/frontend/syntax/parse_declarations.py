"""The grammar of declarations (C11, 6.7): specifiers, declarators, type names and bodies of types."""

from __future__ import annotations

from collections.abc import Callable

from vpo.frontend.syntax import nodes, stream
from vpo.frontend.syntax.lexer import NAME, STRING
from vpo.frontend.syntax.parse_attributes import assembly_name, attributes, skip_attributes, starts_attributes
from vpo.frontend.syntax.parse_expressions import assignment, conditional, expression, initializer, string

# ----------------------------------------------------------------------------------------------------------------------
# The grammar of enums (C11, 6.7.2.2).


def enumeration(s: stream.Stream) -> nodes.Enum:
    """Read an enum specifier."""
    begin = s.coord()
    s.at += 1
    given = attributes(s)
    name = s.name() if s.kinds[s.at] == NAME else None
    base = _base(s)
    if s.kinds[s.at] != "{":
        return nodes.Enum(name, None, begin, base=base) if name is not None else s.missing("'{'")
    s.at += 1
    found = []
    while True:
        found.append(_enumerator(s))
        if not s.accept(",") or s.kinds[s.at] == "}":
            break
    s.expect("}")
    given.add(attributes(s))
    return nodes.Enum(name, found, begin, given.packed, base)


def _base(s: stream.Stream) -> nodes.IdentifierType | None:
    """Read the type behind a colon; what stands there may be the width of a bit-field instead."""
    if s.kinds[s.at] != ":":
        return None
    s.at += 1
    if not stream.starts_type(s):
        s.at -= 1
        return None
    place = s.coord()
    names: list[str] = []
    while s.kinds[s.at] in stream.SIMPLE or s.kinds[s.at] in stream.QUALIFIERS or (not names and stream.starts_type(s)):
        if s.kinds[s.at] not in stream.QUALIFIERS:
            names.append(s.texts[s.at] if s.kinds[s.at] == NAME else s.kinds[s.at])
        s.at += 1
    return nodes.IdentifierType(names, place)


def _enumerator(s: stream.Stream) -> nodes.Enumerator:
    place = s.coord()
    name = s.name()
    attributes(s)
    value = conditional(s) if s.accept("=") else None
    s.declare(name)
    return nodes.Enumerator(name, value, place)


# ----------------------------------------------------------------------------------------------------------------------
# The grammar of `_Alignas(...)`, `typeof(...)` and `_BitInt(...)`, which need types and expressions.


def alignas(s: stream.Stream) -> nodes.Alignas:
    """Read an alignment specifier."""
    place = s.coord()
    s.at += 1
    s.expect("(")
    found = nodes.Alignas(s.type_name(s) if stream.starts_type(s) else conditional(s), place)
    s.expect(")")
    return found


def bit_int(s: stream.Stream) -> nodes.BitIntType:
    """Read a bit-precise integer type, but for the words around it."""
    place = s.coord()
    s.at += 1
    s.expect("(")
    found = nodes.BitIntType(conditional(s), place)
    s.expect(")")
    return found


def typeof(s: stream.Stream) -> nodes.TypeOf:
    """Read a type by an expression that has it, or by its name."""
    place, unqualified = s.coord(), s.kinds[s.at] == "typeof_unqual"
    s.at += 1
    s.expect("(")
    found = nodes.TypeOf(s.type_name(s) if stream.starts_type(s) else expression(s), unqualified, place)
    s.expect(")")
    return found


# ----------------------------------------------------------------------------------------------------------------------
# The grammar of static assertions (C11, 6.7.10).


def static_assertion(s: stream.Stream) -> nodes.StaticAssert:
    """Read a static assertion with its semicolon."""
    place = s.coord()
    s.at += 1
    s.expect("(")
    condition = conditional(s)
    message: nodes.Constant | None = None
    if s.accept(","):
        if s.kinds[s.at] != STRING:
            s.missing("string")
        message = string(s)
    s.expect(")")
    s.expect(";")
    return nodes.StaticAssert(condition, message, place)


# ----------------------------------------------------------------------------------------------------------------------

# ------------------------------------------------------------------------------------------------------ specifiers




def specifiers(s: stream.Stream) -> nodes.Specifiers:
    """Read the specifiers of a declaration, as many as there are."""
    found = nodes.Specifiers()
    while True:
        kind = s.kinds[s.at]
        if kind == NAME:
            if found.has_type or not s.is_type(s.texts[s.at]):
                return found
            _add_word(s, found)
        elif kind in stream.SIMPLE:
            _add_word(s, found)
        elif kind in stream.STORAGE:
            if kind != "typedef" and (found.has_type or found.quals):
                s.report.warning(s.coord(), "old-style-declaration", kind)
            found.storage.append(kind)
            s.at += 1
        elif kind in stream.QUALIFIERS:
            _qualifier(s, found, kind)
        elif kind in stream.FUNCTION:
            found.funcspec.append(kind)
            s.at += 1
        elif kind in _BODIES:
            place = s.coord()
            found.type, found.place = _BODIES[kind](s), found.place or place
        elif kind == "_Alignas":
            found.attributes.align.append(alignas(s))
        elif kind == stream.ATTRIBUTE or kind == "[":
            if not starts_attributes(s):
                return found
            found.attributes.add(attributes(s))
        else:
            return found


def _qualifier(s: stream.Stream, found: nodes.Specifiers, kind: str) -> None:
    """Read a qualifier, or `_Atomic(type)`, which is one, too."""
    if kind in found.quals and kind != "_Atomic":
        s.report.warning(s.coord(), "duplicate-decl-specifier", kind)
    s.at += 1
    found.quals.append(kind)
    if kind == "_Atomic" and s.kinds[s.at] == "(" and not found.has_type:
        s.at += 1
        name = s.type_name(s)
        s.expect(")")
        if name.quals:
            s.report.error(name.coord, "'_Atomic' applied to a qualified type")
        elif isinstance(name.type, nodes.ArrayDecl | nodes.FuncDecl):
            what = "an array" if isinstance(name.type, nodes.ArrayDecl) else "a function"
            s.report.error(name.coord, f"'_Atomic' applied to {what} type")
        found.type, found.place = (name.type.type if isinstance(name.type, nodes.TypeDecl) else name), name.coord


def _add_word(s: stream.Stream, found: nodes.Specifiers) -> None:
    if found.place is None:
        found.place = s.coord()
    kind = s.kinds[s.at]
    found.names.append(s.texts[s.at] if kind == NAME else kind)
    s.at += 1


def _tag(s: stream.Stream) -> tuple[str | None, nodes.Coord]:
    """Read the tag of a struct or union, if there is one; return it with its place, or that of what stands there instead."""
    place = s.coord()
    if s.kinds[s.at] == NAME:
        s.at += 1
        return s.texts[s.at - 1], place
    if s.kinds[s.at] != "{":
        s.missing("'{'")
    return None, place


def _record(s: stream.Stream) -> nodes.Struct:
    keyword = s.kinds[s.at]
    s.at += 1
    given = attributes(s)
    name, place = _tag(s)
    if not s.accept("{"):
        return nodes.Struct(keyword, name, None, place)
    members: list[nodes.Decl | nodes.StaticAssert] = []
    while s.kinds[s.at] != "}":
        if s.kinds[s.at] == ";":
            s.at += 1
        else:
            members += _members(s)
    found = nodes.Struct(keyword, name, members, place)
    found.pack = s.packing()
    s.at += 1
    given.add(attributes(s))
    found.packed, found.align, found.attributes = given.packed, given.align, given.others
    return found


def _members(s: stream.Stream) -> list[nodes.Decl | nodes.StaticAssert]:
    """Read a declaration of members."""
    if s.kinds[s.at] == "_Static_assert":
        return [static_assertion(s)]
    head = specifiers(s)
    if not head.has_type:
        s.missing("type")
    found: list[nodes.Decl | nodes.StaticAssert] = []
    while True:
        if s.kinds[s.at] == ";" and not found:
            found.append(_untold(head))
        else:
            found.append(_member(s, head))
        if not s.accept(","):
            if s.kinds[s.at] == "}":
                s.report.warning(s.coord(), "declarations:semicolon")
            else:
                s.expect(";")
            return found


def _member(s: stream.Stream, head: nodes.Specifiers) -> nodes.Decl:
    derivations, name, place = ([], None, None) if s.kinds[s.at] == ":" else declarator(s)
    bits = conditional(s) if s.accept(":") else None
    given = attributes(s)
    place = bits.coord if bits is not None and place is None else place
    found = nodes.Decl(name, head, derived(head, derivations, place, given), given)
    found.bitsize = bits
    return found


_BODIES: dict[str, Callable[[stream.Stream], nodes.Specifier]] = {
    "_BitInt": bit_int, "struct": _record, "union": _record, "enum": enumeration, "typeof": typeof, "typeof_unqual": typeof,
}  # fmt: skip


# ----------------------------------------------------------------------------------------------------- declarators


def declarator(s: stream.Stream, abstract: bool = False) -> stream.Declarator:
    """Read a declarator: how its name derives from it, outermost first as it is read; `abstract` ones may lack the name."""
    pointers: list[stream.Derivation] = []
    while s.kinds[s.at] == "*":
        star = s.coord()
        s.at += 1
        pointers.append(("pointer", _qualifiers(s), star))
    derivations: list[stream.Derivation] = []
    name: str | None = None
    place: nodes.Coord | None = None
    if s.kinds[s.at] == NAME:
        place = s.coord()
        name = s.name()
    elif s.kinds[s.at] == "(" and not (abstract and _begins_parameters(s)):
        s.at += 1
        skip_attributes(s)
        derivations, name, place = declarator(s, abstract)
        s.expect(")")
    elif not abstract:
        s.missing("identifier or '('")
    derivations += _suffixes(s, derivations[0][2] if derivations else place)
    return derivations + pointers[::-1], name, place


def _qualifiers(s: stream.Stream) -> list[str]:
    found: list[str] = []
    while s.kinds[s.at] in stream.QUALIFIERS or starts_attributes(s):
        if starts_attributes(s):
            s.of_functions |= attributes(s).of_functions
        else:
            found.append(s.kinds[s.at])
            s.at += 1
    return found


def _begins_parameters(s: stream.Stream) -> bool:
    """Return whether the parenthesis at the current token is that of parameters, not one around a declarator."""
    begin = s.at
    s.at += 1
    skip_attributes(s)
    found = s.kinds[s.at] == ")" or s.kinds[s.at] == "..." or stream.starts_declaration(s)
    s.at = begin
    return found


def _suffixes(s: stream.Stream, place: nodes.Coord | None) -> list[stream.Derivation]:
    """Read lengths of arrays and parameters behind a name."""
    found: list[stream.Derivation] = []
    while _goes_on(s):
        begin = place if place is not None else s.coord()
        if s.accept("["):
            found.append(("array", _length(s), begin))
        else:
            s.at += 1
            with s.scope():
                found.append(("function", _parameters(s), begin))
            s.expect(")")
    return found


def _goes_on(s: stream.Stream) -> bool:
    """Return whether a length or parameters follow; attributes before them, which change nothing there, are passed over."""
    begin, told = s.at, len(s.attributes)
    if starts_attributes(s) and s.kinds[s.at] == "[":
        attributes(s)
    if s.kinds[s.at] in ("[", "(") and not starts_attributes(s):
        return True
    s.at, s.attributes[told:] = begin, []  # they are about what the declarator declares
    return False


def _length(s: stream.Stream) -> tuple[nodes.Expression | None, list[str]]:
    quals: list[str] = []
    while s.kinds[s.at] in stream.QUALIFIERS or s.kinds[s.at] == "static":
        quals.append(s.kinds[s.at])
        s.at += 1
    length: nodes.Expression | None = None
    if s.kinds[s.at] == "*" and s.kinds[s.at + 1] == "]":
        length = nodes.ID("*", s.coord())
        s.at += 1
    elif s.kinds[s.at] != "]":
        length = assignment(s)
    s.expect("]")
    return length, quals


def _parameters(s: stream.Stream) -> nodes.ParamList | nodes.NameList | None:
    if s.kinds[s.at] == ")":
        return None
    if s.kinds[s.at] == NAME and not s.is_type(s.texts[s.at]):
        return nodes.NameList(_old_names(s))
    found: list[nodes.Parameter | nodes.EllipsisParam] = []
    while True:
        if s.kinds[s.at] == "...":
            found.append(nodes.EllipsisParam(s.coord()))
            s.at += 1
            break
        found.append(_parameter(s))
        if not s.accept(","):
            break
    return nodes.ParamList(found)


def _old_names(s: stream.Stream) -> list[nodes.ID]:
    found: list[nodes.ID] = []
    while True:
        place = s.coord()
        found.append(nodes.ID(s.name(), place))
        if not s.accept(","):
            return found


def _parameter(s: stream.Stream) -> nodes.Parameter:
    begin = s.coord()
    head = specifiers(s)
    if not head.has_type and not head.storage and not head.quals:
        s.missing("type")
    imply_int(s, head)
    derivations, name, place = declarator(s, abstract=True)
    given = attributes(s)
    type_ = derived(head, derivations, place, given)
    if name is None:
        return nodes.Typename(head.quals, head.attributes.align, type_, begin)
    s.declare(name)
    return nodes.Decl(name, head, type_, given)


def derived(
    head: nodes.Specifiers,
    derivations: list[stream.Derivation],
    place: nodes.Coord | None,
    given: nodes.Attributes | None = None,
) -> nodes.TypeNode:
    """Return the type of a declarator, from the outermost derivation to the specifiers; `given` stands behind it."""
    specified = _specified(head, given)
    found: nodes.TypeNode = nodes.TypeDecl(head.quals, specified, place or head.place or specified.coord)
    for derivation in reversed(derivations):
        if derivation[0] == "pointer":
            found = nodes.PtrDecl(derivation[1], found, derivation[2])
        elif derivation[0] == "array":
            found = nodes.ArrayDecl(found, *derivation[1], derivation[2])
        else:
            found = nodes.FuncDecl(derivation[1], found, derivation[2])
    return found


def _specified(head: nodes.Specifiers, given: nodes.Attributes | None = None) -> nodes.Specifier:
    found = head.type
    if found is None:
        assert head.place is not None
        found = nodes.IdentifierType(head.names, head.place)
    if isinstance(found, nodes.BitIntType):
        found.names = head.names
    of_type = head.attributes.of_type | (given.of_type if given is not None else {})
    return nodes.ChangedType(found, of_type, found.coord) if of_type else found


def type_name(s: stream.Stream) -> nodes.Typename:
    """Read a type name."""
    head = specifiers(s)
    if not head.has_type and not head.quals:
        s.missing("type")
    imply_int(s, head)
    derivations, name, _ = declarator(s, abstract=True)
    if name is not None:
        s.at -= 1
        s.missing("')'")
    skip_attributes(s)
    type_ = derived(head, derivations, None)
    return nodes.Typename(head.quals, head.attributes.align, type_, type_.coord)


# ---------------------------------------------------------------------------------------------------- declarations


def declaration(s: stream.Stream) -> list[nodes.Declaration]:
    """Read a declaration with its semicolon; one node for each name."""
    if s.kinds[s.at] == "_Static_assert":
        return [static_assertion(s)]
    begin = s.at
    head = specifiers(s)
    if s.kinds[s.at] == ";":
        s.at += 1
        if not head.has_type and s.kinds[begin] != "[":
            s.at -= 1
            s.missing("identifier or '('")
        return [_untold(head)] if head.has_type else []
    if not head.has_type and s.at == begin:
        s.missing("type")
    imply_int(s, head)
    first = declarator(s)
    if s.kinds[s.at] == "{" and first[0] and first[0][0][0] == "function":
        return [s.nested_function(s, head, first)]
    return declared(s, head, first)


def declared(s: stream.Stream, head: nodes.Specifiers, first: stream.Declarator) -> list[nodes.Declaration]:
    """Read the rest of a declaration behind its first declarator."""
    found: list[nodes.Declaration] = [_one(s, head, *first)]
    while s.accept(","):
        found.append(_one(s, head, *declarator(s)))
    s.expect(";")
    return found


def _one(
    s: stream.Stream, head: nodes.Specifiers, derivations: list[stream.Derivation], name: str | None, place: nodes.Coord | None
) -> nodes.Decl | nodes.Typedef:
    is_type = "typedef" in head.storage
    if name is not None:
        s.declare(name, is_type)
    symbol = assembly_name(s)
    given = attributes(s)
    symbol = symbol or assembly_name(s)
    type_ = derived(head, derivations, place, given)
    if is_type:
        return nodes.Typedef(name, head, type_, given)
    found = nodes.Decl(name, head, type_, given)
    found.symbol, found.init = symbol, initializer(s) if s.accept("=") else None
    return found


def _untold(head: nodes.Specifiers) -> nodes.Decl:
    """Return the declaration of no name: of a tag, or of an anonymous member."""
    return nodes.Decl(None, head, _specified(head))


def imply_int(s: stream.Stream, head: nodes.Specifiers, place: nodes.Coord | None = None, warns: bool = True) -> None:
    """Let what names no type be an int, as in C89."""
    if not head.has_type and "auto" in head.storage and s.standard.edition >= 2023:
        head.names, head.place = [stream.INFERRED], place or s.coord()
    if not head.has_type:
        head.names, head.place = ["int"], place or s.coord()
        if warns:
            s.report.warning(head.place, "implicit-int")
