"""What the parser makes of texts where C is hard to read, and how it goes on after errors."""

import pytest

from vpo.frontend.syntax import parse
from vpo.frontend.syntax.nodes import Node
from vpo.frontend.warnings.diagnostics import Reporter


def tree(text):
    """Return the tree of a text without errors."""
    report = Reporter("f.c")
    unit = parse(text, "f.c", report)
    assert report.errors == []
    return unit


def outline(node):
    """Return a tree as text: the class of a node, and its parts in parentheses."""
    if isinstance(node, list):
        return " ".join(map(outline, node))
    if not isinstance(node, Node):
        return node if isinstance(node, str) else ""
    parts = [outline(getattr(node, name)) for name in sorted(type(node).__slots__)]
    return f"{type(node).__name__}({' '.join(part for part in parts if part)})"


def first_statement(text):
    (*_, function) = tree(text).ext
    return outline(function.body.block_items[0])


NAMES = [
    ("typedef int T; void f(void) { (T)(1); }", "Cast(Constant(integer 1) Node)"),
    ("int T; void f(void) { (T)(1); }", "FuncCall(Constant(integer 1) ID(T))"),
    ("typedef int T; void f(int T) { (T)(1); }", "FuncCall(Constant(integer 1) ID(T))"),
    ("typedef int T; void f(void) { T * x; }", "Decl(x PtrDecl(TypeDecl(IdentifierType(T))))"),
    ("int T; void f(void) { T * x; }", "BinaryOp(ID(T) * ID(x))"),
    ("typedef int T; void f(void) { enum { T } t; T * 2; }", None),
    ("typedef int T; void f(void) { { int T; } T *x; }", None),
    ("typedef int T; void f(void) { for (int T = 0; T < 1; T++) ; T x; }", None),
    ("typedef int T; void f(void) { goto T; T: ; T x; }", None),
    ("typedef int T; struct s { T T; T u; };", None),
    ("typedef int T; int g(int (T), T); T (*h)(T (T), int T);", None),
    ("typedef int T; void f(void) { sizeof(T[2]); sizeof(T) * 2; sizeof (T){1}; _Alignof(T); }", None),
    ("int f(a, b) int a; char b; { return a; } g() { return 1; }", None),
    ("static x = 1; y[2];", None),
]


@pytest.mark.parametrize(("text", "expected"), NAMES)
def test_names_of_types(text, expected):
    if expected is None:
        tree(text)
    else:
        assert first_statement(text).replace("Typename(TypeDecl(IdentifierType(T)))", "Node") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a = b = c ? d : e, f;", "ExprList(Assignment(ID(a) = Assignment(ID(b) = TernaryOp(ID(c) ID(e) ID(d)))) ID(f))"),
        ("a + b * c << d;", "BinaryOp(BinaryOp(ID(a) + BinaryOp(ID(b) * ID(c))) << ID(d))"),
        ("a - b - c;", "BinaryOp(BinaryOp(ID(a) - ID(b)) - ID(c))"),
        ("-a++ [b];", "UnaryOp(ArrayRef(UnaryOp(ID(a) p++) ID(b)) -)"),
        ("&&a && b;", "BinaryOp(LabelAddress(a) && ID(b))"),
        ("if (a) if (b) c; else d;", "If(ID(a) If(ID(b) ID(d) ID(c)))"),
    ],
)
def test_operators_bind_as_the_grammar_says(text, expected):
    assert first_statement(f"void f(void) {{ {text} }}") == expected


def test_places_go_through_line_markers():
    unit = tree('#line 7 "a.h"\nint a;\n\n int b;\n#line 3 "f.c"\nint c; int\nd;')
    assert [repr(decl.coord) for decl in unit.ext] == ["a.h:7:5", "a.h:9:6", "f.c:3:5", "f.c:4:1"]


def test_each_statement_has_its_error():
    report = Reporter("f.c")
    text = "void f(int x) {\n x = ;\n if (x) {\n  x +;\n  y z;\n }\n x++\n}\n"
    text += "int a[;\nint b;\nfoo bar;\nvoid g(void) { 1 = = 2; }\n"
    unit = parse(text, "f.c", report)
    assert [str(error)[4:] for error in report.errors] == [
        "2:6: error: expected expression before ';'", "4:6: error: expected expression before ';'",
        "5:3: error: unknown type name 'y'", "8:1: error: expected ';' before '}'",
        "9:7: error: expected expression before ';'", "11:1: error: unknown type name 'foo'",
        "12:20: error: expected expression before '='",
    ]  # fmt: skip
    assert [getattr(part, "name", "") for part in unit.ext] == ["", "b", ""]
