"""Each class of statement has a function that lowers it.  Of expressions and declarations, mypy proves it."""

import ast
import inspect

from vpo.frontend.lower import dispatch
from vpo.frontend.syntax.nodes import Statement


def test_each_statement_is_lowered():
    tree = ast.parse(inspect.getsource(dispatch._statement))
    lowered = {
        node.cls.attr if isinstance(node.cls, ast.Attribute) else node.cls.id
        for node in ast.walk(tree)
        if isinstance(node, ast.MatchClass)
    }
    assert lowered == {cls.__name__ for cls in Statement.__subclasses__()}
