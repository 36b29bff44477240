"""Which static objects no pointer can point to."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from il_to_c import LP64

from vpo.frontend import compile_c
from vpo.il.uses import private_data

TEXT = """
struct s { int a[4], b; };
static int counted, indexed[9], passed, kept[2], named, cast, *pointer; static struct s copied, other; int global;
static int *named_by = &named; static struct s given; void take(int *); void whole(struct s); extern long where;
int f(int i)
{
    int *p = kept + i;
    counted++; indexed[i] = indexed[i + 1] + *p; take(&passed); copied = other; copied.a[i] = other.b + global;
    *pointer = 1; where = (long)&cast + i; whole(given); return *named_by + named + (i[indexed] != *(indexed + 2));
}
"""


def test_objects_are_private_if_only_accesses_use_their_addresses():
    unit = compile_c("test.c", LP64, source=TEXT)
    assert private_data(unit) == {"counted", "indexed", "copied", "other", "pointer", "named_by"}
