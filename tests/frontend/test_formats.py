"""Formats: a call is warned of if gcc warns of it."""

import json
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from il_to_c import LP64
from test_programs import require

from vpo.frontend import compile_c
from vpo.frontend.c_options import COptions
from vpo.frontend.warnings.flags import read_options

HEAD = "int printf(const char *, ...); int scanf(const char *, ...);"
CALLS = [
    'printf("%1$d %2$s", i, s)',
    'printf("%1$s %2$s", i, s)',
    'printf("%2$s %1$d %1$d", i, s)',
    'printf("%1$d %s", i, s)',
    'printf("%1$*2$d", i, i)',
    'printf("%#x", i)',
    'printf("%.3d", i)',
    'printf("%05.3f", d)',
    'printf("%hs", s)',
    'printf("%hf", d)',
    'printf("%llf", d)',
    'printf("%lf", d)',
    'printf("%lp", s)',
    'printf("%5p", s)',
    'scanf("%*d %5s", s)',
    'scanf("%hs", s)',
    'scanf("%hf", &d)',
    'scanf("%5[a-z]%c", s, s)',
    'scanf("%1$d", &i)',
    'scanf("%1$s", &i)',
    'printf("%s%%%5.2f", s, 1.0)',
    'printf("%2$ld %m %1$d", i, l)',
    'scanf("%*C%*S")',
]


def test_calls_are_warned_of_where_gcc_warns(tmp_path):
    require("gcc")
    path, found = tmp_path / "a.c", []
    parameters = "char *s, int i, long l, double d"
    functions = [f"int f{number}({parameters}) {{ return {call}; }}" for number, call in enumerate(CALLS)]
    path.write_text("\n".join([HEAD, *functions]) + "\n")
    compile_c(str(path), LP64, COptions(warnings=read_options(["-Wformat"])), warn=found.append)
    command = ["gcc", "-Wformat", "-c", "-o", "/dev/null", "-fdiagnostics-format=json", str(path)]
    lines = subprocess.run(command, capture_output=True, text=True, check=False).stderr.splitlines()
    told = [one for line in lines for group in json.loads(line) for one in (group, *group["children"])]
    theirs = {one["locations"][0]["caret"]["line"] for one in told if one["kind"] == "warning"}
    ours = {one.line for one in found}
    assert [CALLS[line - 2] for line in sorted(ours ^ theirs)] == []
    assert len(ours) > 8
