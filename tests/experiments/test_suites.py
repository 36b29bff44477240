"""Programs as commands name them: command lines, lists, suites in folders."""

from pathlib import Path

import pytest

from ease import Machine
from ease.lab.experiments.suites import Recipe, listed, read_suite, recipes
from ease.lab.sweeps.axes import Configuration
from ease.lab.sweeps.points import Keys, Point, run_point
from vpo.build.compiler import UserError

PARTS = {
    "main.c": "#include <part.h>\nint part(int);\nint main(int argc, char **argv) { return part(argc) + N * FACTOR; }\n",
    "part.c": "#include <part.h>\nint part(int n) { return n + PART; }\n",
    "lib/part.h": "#define PART 20\n",
}
EMBENCH = {
    "src/one/one.c": """
        #include "support.h"
        #include "own.h"
        static int times;
        void initialise_benchmark(void) { times = OWN * CPU_MHZ; }
        void warm_caches(int heat) { times += heat; }
        int benchmark(void) { return times + GLOBAL_SCALE_FACTOR; }
        int verify_benchmark(int result) { return result == 8; }
    """,
    "src/one/own.h": "#define OWN 7\n",
    "src/two/two.c": "void initialise_benchmark(void) {}\nvoid warm_caches(int heat) {}\nint benchmark(void) { return 0; }\n"
    "int verify_benchmark(int result) { return result; }\n",
    "support/support.h": "#include <boardsupport.h>\nvoid initialise_board(void);\nvoid start_trigger(void);\n"
    "void stop_trigger(void);\n",
    "support/main.c": """
        #include "support.h"
        void initialise_benchmark(void), warm_caches(int);
        int benchmark(void), verify_benchmark(int);
        int main(void)
        {
            int result;
            initialise_board();
            initialise_benchmark();
            warm_caches(WARMUP_HEAT);
            start_trigger();
            result = benchmark();
            stop_trigger();
            return !verify_benchmark(result);
        }
    """,
    "support/board.c": '#include "boardsupport.c"\n',
    "support/beebsc.c": "int beebs;\n",
}


def written(files, folder):
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def status_of(program):
    return program.run(program.compiled(Machine("riscv32"), 1)).exit_status


@pytest.fixture
def parts(tmp_path, monkeypatch):
    """Files of one program, in the working directory."""
    written(PARTS, tmp_path)
    monkeypatch.chdir(tmp_path)


def test_programs_and_suites(tmp_path):
    (tmp_path / "s.json").write_text('{"a": {"args": ["1"], "stdin": null}, "b": {"args": [], "stdin": "in.txt"}}')
    one, a, b = read_suite(["prog.c 3 'x y' < in", str(tmp_path / "s.json")])
    assert (one.name, one.arguments, one.stdin) == ("prog", ("3", "x y"), "in")
    assert (a.name, a.arguments, b.stdin) == ("a", ("1",), "in.txt")
    assert a.files == (str(Path(tmp_path) / "a.c"),)


@pytest.mark.parametrize("words", [["queens 8"], ["a.c 'b"], ["a.c < x y"], ["a.c", "d/a.c"], ["a.c 1", "b:'", "embench:x '"]])
def test_bad_programs_are_told(words):
    with pytest.raises(UserError):
        read_suite(words)


def test_several_files_and_options(parts):
    (program,) = read_suite(["-DN=3 -DFACTOR -Ilib main.c part.c -- a b"])
    assert (program.name, program.files, program.arguments) == ("main", ("main.c", "part.c"), ("a", "b"))
    assert status_of(program) == 3 + 20 + 3


def test_words_behind_a_file_are_arguments(parts):
    (program,) = read_suite(["main.c part.c -Dx -- y"])
    assert (program.files, program.arguments, program.options) == (("main.c",), ("part.c", "-Dx", "--", "y"), ())


def test_a_list_has_files_and_options(parts, tmp_path):
    entry = '{"files": ["main.c", "part.c"], "options": ["-Ilib", "-DN=2", "-DFACTOR=4"], "args": []}'
    (tmp_path / "two.json").write_text(f'{{"two": {entry}}}')
    (program,) = listed(Path("two.json"))
    assert status_of(program) == 1 + 20 + 8


def test_options_decide_what_a_point_comes_to(parts):
    """The store must not take one for the other."""
    points = [Point(Configuration("riscv32"), read_suite([f"-DN={n} -DFACTOR -Ilib main.c part.c -- "])[0]) for n in (1, 2)]
    assert [run_point(point, "options").status for point in points] == [22, 23]
    assert len({Keys().key(point) for point in points}) == 2


def test_without_types_in_aliasing(tmp_path, monkeypatch):
    source = "int f(int *a, short *b) { *a = 1; *b = 2; return *a; }\nint main(void) { int x; return f(&x, (short *)&x); }\n"
    written({"a.c": source}, tmp_path)
    monkeypatch.chdir(tmp_path)
    (program,) = read_suite(["-fno-strict-aliasing a.c"])
    assert program.run(program.compiled(Machine("riscv32"), 2)).exit_status == 2


def test_a_suite_in_a_folder(tmp_path):
    written(EMBENCH, tmp_path)
    both = read_suite([f"embench:{tmp_path}"])
    assert [program.name for program in both] == ["embench-one", "embench-two"]
    assert [status_of(program) for program in both] == [0, 1]
    (two,) = read_suite([f"embench:{tmp_path} two"])
    assert two == both[1]


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("embench:{} tow", "did you mean 'two'?"),
        ("embench:{}/src", "there is nothing of Embench IoT"),
        ("beebs:{} template", "'template' is left out: it is an example"),
        ("embnech:{}", "there is no suite 'embnech'; did you mean 'embench'?"),
        ("zzz:{}", "there is no suite 'zzz'; these are known: embench,"),
    ],
)
def test_what_is_not_in_a_suite_is_told(tmp_path, word, told):
    written(EMBENCH, tmp_path)
    with pytest.raises(UserError, match=told.replace("?", r"\?")):
        read_suite([word.format(tmp_path)])


def test_suites_stand_in_the_documentation():
    text = Path(__file__).parents[2].joinpath("docs/experiments.md").read_text()
    for name, recipe in recipes().items():
        assert isinstance(recipe, Recipe)
        assert f"| `{name}` | {recipe.about} |" in text
