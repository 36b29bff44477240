"""As which types of C loads and stores refer to memory."""

import random
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from il_to_c import LP64

from vpo import il
from vpo.frontend import compile_c
from vpo.frontend.types.types import CType, Member, Tag
from vpo.il import data_model

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
    ("*p = 0", "pointer"), ("i[k] = 1", "int"), ("n->value = 1", "int node.8/48"), ("n->next = n", "pointer node.0/48"),
    ("n->next->value = 1", "int node.8/48"), ("(*n).value++", "int node.8/48"), ("n->flags = 1", ""), ("n->name[k] = 1", ""),
    ("n->in.deep = 1", "long .0/8"), ("n->row[k] = 1", "short"), ("nameless->second = 1", "int .4/8"),
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
    assert store.value.operand.effective == "int node.8/48"


@pytest.mark.parametrize(
    ("attribute", "strict"),
    [("may_alias", True), ("__may_alias__", True), ("unused", False), ('optimize("no-strict-aliasing")', True)],
)
def test_a_file_may_ask_for_no_types(attribute, strict):
    assert [store.effective for store in compiled("*i = 1", attribute, strict)] == [""]


class Counted(CType):
    """A type that counts how often its size is asked for."""

    asked = 0

    def __init__(self, size):
        self.bytes = size

    @property
    def size(self):
        Counted.asked += 1
        return self.bytes

    effective = "int"


def members_of(chance, count):
    places = [(chance.randrange(40), chance.choice([0, 1, 2, 4, 8]), chance.random() < 0.2) for _ in range(count)]
    return [Member(f"m{n}", Counted(size), at, object() if bits else None) for n, (at, size, bits) in enumerate(places)]


def test_members_that_share_bytes_may_be_anything():
    chance = random.Random(3)
    for _ in range(300):
        tag = Tag("struct", "s", by_name={member.name: member for member in members_of(chance, chance.randrange(1, 9))})
        for member in tag.by_name.values():
            others = [other for other in tag.by_name.values() if other is not member and other.bits is None]
            covered = range(member.offset, member.offset + member.type.bytes)
            shares = any(other.offset < covered.stop and covered.start < other.offset + other.type.bytes for other in others)
            assert (tag.effective(member) == data_model.ANY) == shares


def test_a_thousand_members_are_not_compared_with_each_other():
    tag = Tag("struct", "s", by_name={f"m{n}": Member(f"m{n}", Counted(4), 4 * n) for n in range(1000)})
    Counted.asked = 0
    assert data_model.ANY not in {tag.effective(member) for member in tag.by_name.values()}
    assert Counted.asked <= 3000
