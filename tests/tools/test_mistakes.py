"""What a tool does wrong ends in a message with the line of its file, and the program in its own output."""

import pytest

from ease.commands.easecc import main as easecc
from ease.tools.tool_file import Tool
from tests.tools.plain import interpret_with
from vpo.base.errors import UserError

SMALL = """
#include <unistd.h>
int main(void) { write(1, "output\\n", 7); return 3; }
"""
HEAD = """from ease.tools import ADDRESS, TAKEN, Array, Table
a = Array(4)
n = 0
def instrument(program):
    program.function("main").before(look, 7)
"""
# What is wrong: the functions behind HEAD, the line of the mistake, a part of the message.
REFUSED = {
    "signature": ("def look():\n    pass\n", 5, "`look` takes no arguments, and is given 1: (7)"),
    "import": ("def look(x):\n    import os\n", 7, "cannot have `import os`"),
    "text": ("def look(x):\n    y = 'x'\n", 7, "cannot have `'x'`"),
    "float": ("def look(x):\n    y = x / 2\n", 7, "use `//`"),
    "name": ("def look(x):\n    y = z\n", 7, "`z`: no such number"),
    "global": ("def look(x):\n    n = n + 1\n", 6, "write `global n` first"),
    "other array": ("def look(x):\n    b[0] = 1\n", 7, "`b` is no array"),
    "call": ("def look(x):\n    print(x)\n", 7, "no function `print`"),
    "recursion": ("def look(x):\n    look(x)\n", 6, "calls itself"),
    "attribute": ("def look(x):\n    x.y = 1\n", 7, "a tool cannot change anything else"),
    "syntax": ("def look(x):\n    y = = 1\n", 7, "this is not Python"),
    "exception": ("1 // 0\n", 6, "ZeroDivisionError"),
    "nested": ("def look(x):\n    def inner(): pass\n", 7, "cannot have `def inner()"),
}
FAILING = {
    "endless loop": ("def look(x):\n    while x:\n        x += 1 if x < 100 else 0\n", 7, "this loop does not end"),
    "wild store": ("def look(x):\n    a[x] = 1\n", 7, "index 7 of `a`, whose length is 4"),
    "below": ("def look(x):\n    a[5 - x] += 1\n", 7, "index -2 of `a`"),
    "division": ("def look(x):\n    a[0] = x // (x - a[1] - 7)\n", 7, "division by zero"),
    "shift": ("def look(x):\n    a[0] = 1 << (x * 10)\n", 7, "a shift by 70 bits"),
    "exception": ('def look(x):\n    if x > 3:\n        raise ValueError("too large")\n', 8, "too large"),
}


@pytest.fixture(scope="module")
def program(programs):
    return programs(SMALL, "riscv32")


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_is_refused_before_the_run(name, program, tool_file):
    text, line, message = REFUSED[name]
    file = tool_file(HEAD + text)
    with pytest.raises(UserError) as caught:
        Tool(str(file)).instrument(program)
    assert caught.value.messages[0].startswith(f"{file}:{line}: error: ")
    assert message in caught.value.messages[0]


@pytest.mark.parametrize("name", FAILING)
def test_what_goes_wrong_names_its_line(name, tool_file, tmp_path, capfd):
    text, line, message = FAILING[name]
    file = tool_file(HEAD + text)
    (tmp_path / "small.c").write_text(SMALL)
    assert easecc(["-tool", str(file), str(tmp_path / "small.c")]) == 1
    output, errors = capfd.readouterr()
    assert output == "output\n"
    assert errors.startswith(f"{file}:{line}: error: ")
    assert message in errors
    assert len(errors.splitlines()) == 2


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("    program.blocks[0].label = 'x'\n", "a tool cannot change the program: `label` of this block"),
        ("    program.machine = 'x'\n", "a tool cannot change the program"),
        ("    program.blocks[0].before(look, TAKEN)\n", "TAKEN is not known before this block"),
        ("    program.blocks[0].before(len, 1)\n", "is no analysis function"),
        ("    program.blocks[0].before(look, 'x')\n", "not 'x'"),
        ("    program.function('nothing')\n", "no function `nothing`"),
        ("    program.references[0].before(look, program.x)\n", "AttributeError"),
    ],
)
def test_a_tool_cannot_change_the_program(line, message, program, tool_file):
    file = tool_file(HEAD + line + "def look(x):\n    pass\n")
    with pytest.raises(UserError) as caught:
        Tool(str(file)).instrument(program)
    assert caught.value.messages[0].startswith(f"{file}:6: error: ")
    assert message in caught.value.messages[0]


def test_a_report_that_fails_names_its_line(program, tool_file, measured_with):
    file = tool_file(HEAD + "def look(x):\n    a[0] += x\ndef report():\n    return Table('t', ['a'], [(1, 2)])\n")
    with pytest.raises(UserError, match=f"{file}:9: error: ValueError: t: a row has 2 cells"):
        measured_with(program, file)


def test_a_tool_without_report_shows_its_numbers(program, tool_file, measured_with):
    file = tool_file(HEAD + "def look(x):\n    a[1] += x\n")
    _, found = measured_with(program, file)
    assert found.tools["tool"][0].rows == [("n", 0), ("a[1]", 7)]  # numbers first: of elements there may be too many to show
    assert interpret_with(Tool(str(file)), program).output == b"output\n"


def test_what_is_before_and_after_the_program(program, tool_file, measured_with):
    text = """from ease.tools import Array, Table
a = Array(8, bits=8, fill=250)
n = 40
def instrument(program):
    program.before(begin, 5)
    program.function("main").before(look, 3)
    program.after(end, 100)
def begin(x):
    a[1] = x
def look(x):
    a[0] += x + 4
    a[1] *= x
def end(x):
    global n
    n += x + a[0] + a[1]
"""
    _, found = measured_with(program, tool_file(text))
    rows = dict(found.tools["tool"][0].rows)
    assert rows == {"n": 40 + 100 + 1 + 15, "a[0]": (250 + 7) % 256, "a[1]": 15}
