"""As which types of C loads and stores refer to memory."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from il_to_c import LP64

from vpo import il
from vpo.frontend import compile_c

TEXT = """
typedef int __attribute__((ATTRIBUTE)) number;
union word {{ float f; unsigned u; struct {{ int a, b; }} pair; short halves[2]; }};
struct node {{ struct node *next; int value, flags : 3; char name[4]; union word word; struct {{ long deep; }} in;
    short row[2]; union {{ int left; float right; }}; }};
struct {{ int first, second; }} *nameless;
void f(struct node *n, union word *w, int *i, unsigned *u, enum e {{ one }} *e, char *c, double *d, _Bool *b, void **p, int k)
{{
    {statement};
}}
"""
STORES = [
    ("*i = 1", "int"), ("*u = 1", "int"), ("*e = one", "int"), ("*c = 1", ""), ("*d = 1", "double"), ("*b = 1", "bool"),
    ("*p = 0", "pointer"), ("i[k] = 1", "int"), ("n->value = 1", "int node.8"), ("n->next = n", "pointer node.0"),
    ("n->next->value = 1", "int node.8"), ("(*n).value++", "int node.8"), ("n->flags = 1", ""), ("n->name[k] = 1", ""),
    ("n->in.deep = 1", "long .0"), ("n->row[k] = 1", "short"), ("nameless->second = 1", "int .4"),
    ("w->f = 1", ""), ("w->u = 1", ""), ("w->pair.b = 1", ""), ("w->halves[k] = 1", ""), ("*w->halves = 1", ""),
    ("n->word.pair.a = 1", ""), ("n->left = 1", ""), ("n->right = 1", ""), ("*&n->value = 1", "int"),
]  # fmt: skip


def compiled(statement, attribute="unused", strict=True):
    text = TEXT.format(statement=statement).replace("ATTRIBUTE", attribute)
    (function,) = compile_c("test.c", LP64, source=text, strict_aliasing=strict).functions
    return [node for node in function.body if isinstance(node, il.Store)]


@pytest.mark.parametrize(("statement", "effective"), STORES)
def test_types_of_stores(statement, effective):
    assert [store.effective for store in compiled(statement)] == [effective]


def test_loads_have_types():
    (store,) = compiled("*d = n->value")
    assert isinstance(store.value, il.Convert)
    assert isinstance(store.value.operand, il.Load)
    assert store.value.operand.effective == "int node.8"


@pytest.mark.parametrize(
    ("attribute", "strict"),
    [("may_alias", True), ("__may_alias__", True), ("unused", False), ('optimize("no-strict-aliasing")', True)],
)
def test_a_file_may_ask_for_no_types(attribute, strict):
    assert [store.effective for store in compiled("*i = 1", attribute, strict)] == [""]
