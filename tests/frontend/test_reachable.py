"""What a unit keeps: what others can see, and what that refers to."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from il_to_c import LP64

from vpo.frontend import compile_c
from vpo.il.traversal import reachable

TEXT = """
static int used_by_data(void) { return 1; }
static int used_twice_removed = 3, unused = 4, used_in_argument = 5;
static int *pointer = &used_twice_removed;
static int chain(void) { return *pointer; }
static int alone(void) { return unused; }
static int itself(int n) { return n ? itself(n - 1) : alone(); }
struct pair { int a, b; };
static struct pair whole;
void take(int, struct pair);
int (*table[])(void) = {used_by_data};
int main(void) { take(used_in_argument, whole); return chain(); }
"""


def test_static_objects_that_nothing_refers_to_are_left_out(tmp_path):
    source = tmp_path / "a.c"
    source.write_text(TEXT)
    unit = compile_c(str(source), LP64)
    names = {item.name for items in (unit.functions, unit.data) for item in items}
    assert names - reachable(unit) == {"unused", "alone", "itself"}
