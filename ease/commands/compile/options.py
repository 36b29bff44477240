"""The options of `easecc` as data: the command line is read by this table, and the help is written from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from ease.commands.compile.command import Command

# What becomes of a value: kept, added to a list, split at commas, made a path or a number; `once` may be given once only.
Kind = Literal["flag", "text", "list", "names", "path", "count", "bytes", "seconds", "once"]
WIDTH = 19  # of the column of options in the help
MARGIN = 122  # where lines of the help end


@dataclass(frozen=True, slots=True)
class Option:
    """One option: it sets the field of a command line, to True or to its value, or adds the value to it.

    `value` is what the help calls the value; `joined`: the value may follow without a space.  `measures`: it asks for
    measuring.  `again`: whether an earlier run tells of one with it: the same one does; another one, that was run with the
    same value; never.  `sweeps`: it has a place where --set has several values.  `kept`: a program that is linked runs so
    whenever it runs.  `excludes`: options that have no place beside it.
    """

    name: str
    field: str
    about: str = ""
    kind: Kind = "flag"
    value: str = ""
    joined: bool = False
    measures: bool = False
    again: Literal["same", "another", "never"] = "another"
    sweeps: bool = False
    kept: bool = False
    excludes: tuple[str, ...] = ()

    def is_in(self, command: Command) -> bool:
        """Return whether a command line has it, or what it implies."""
        return bool(getattr(command, self.field) != getattr(NOTHING, self.field))


NOTHING = Command()  # what a command line asks for that has no options


SECTIONS: dict[str, tuple[Option, ...]] = {
    "What to make": (
        Option("-S", "assembly", "assembly text (to FILE.s, or -o FILE; with several files or -o -, one listing)",
               again="never"),
        Option("-c", "objects", "object files, RTL text (to FILE.o); `easecc a.o b.o` links such files, .o or .rtl",
               again="never"),
        Option("-E", "preprocessed", "the text that the preprocessor makes (to standard output, or -o FILE)", again="never"),
        Option("-o", "output", "name of what -S, -c or -E makes; with none of them, link: FILE is then a program that runs",
               "text", "FILE", True, again="same"),
        Option("-shared", "shared", "in place of a shared library, an archive of the objects (to a.out, or -o FILE): what "
               "programs use of it is linked into them", again="never"),
        Option("-link", "link", "link to a program that runs (to a.out, or -o FILE); what `ease-cc` does by default",
               again="never"),
        Option("-run", "run", "compile, link and run (the default when nothing else is asked for)", sweeps=True),
        Option("-measure", "measure", "compile, run, and report what the machine did; with -o, what each run of FILE does",
               sweeps=True, kept=True),
        Option("-report", "report", "-measure, and the report goes to FILE, in the form that its ending says: .txt, .md, "
               ".json, .csv, .svg or .png (pictures), .html (a page to look at), .callgrind, .folded (flame "
               "graphs), .gcov; text without an ending (default: standard error)", "text", "FILE",
               measures=True, again="same", sweeps=True, kept=True),
        Option("-show", "show", "-measure, but instead of an overview these reports (comma separated), or `all`; "
               "`-show help` lists them", "names", "LIST", measures=True, again="same", kept=True),
        Option("--top", "top", "rows that long tables show", "count", "N", measures=True, again="same"),
        Option("--sort", "sort", "-measure, and order the rows of tables: dynamic (most executed first), static (largest "
               "first) or name", "text", "ORDER", measures=True, again="same"),
        Option("--plot", "plot", "-measure, and draw the reports that have a picture, as text for a terminal (to a file: "
               "-report FILE.svg or .png)", measures=True, again="same"),
        Option("-timing", "timing", "-measure with an estimate of the cycles; with -cache, memory included",
               measures=True, again="never", sweeps=True, kept=True),
        Option("-cache", "cache", "-measure with caches: a YAML file, or a short form such as I:1k,16,1+D:8k,16,4+"
               "switch:10000, or `sweep`: all LRU caches at once, or some, as in sweep+D+size:1k-64k+line:16,32+ways:1-8,full",
               "once", "SYSTEM", measures=True, again="never", sweeps=True, kept=True),
        Option("-over-time", "over_time", "-measure, and also in intervals of N instructions; `switch`: what caches did up to "
               "each context switch", "text", "N", measures=True, again="never", kept=True),
        Option("-predict", "predict", "-measure with branch predictors, such as btfn+bimodal:1024+gshare:4k,12+ras:16+"
               "btb:512,4", "once", "LIST", measures=True, again="never", kept=True),
        Option("-tool", "tools", "-measure with a tool: FILE.py, which you wrote, or one that is supplied (`-tool help` lists "
               "these); its tables are shown instead of an overview (docs/tools.md)", "list", "TOOL",
               measures=True, again="never"),
        Option("-sample", "sample", "-measure, but only samples of the run: every=100k,length=1k,warm=2k, "
               "hc:start=N,length=M, ra:FUNCTION,arrival=K,length=M, phases:every=1M, marks:file=FILE, or shm: when "
               "`ease attach` says (docs/sampling.md)", "once", "SPEC",
               measures=True, again="never", excludes=("-over-time", "-region", "-limit", "-save")),
        Option("-wrong-path", "wrong_path", "-measure with -predict, and execute N instructions behind each mispredicted "
               "transfer, which are undone; `N,caches`: they reach caches (in the interpreter: slowly; docs/predictors.md)",
               "text", "N",
               measures=True, again="never", excludes=(
                   "-over-time", "-region", "-sample", "-save", "-timing", "-tool", "-record", "-timeout")),
        Option("-region", "regions", "-measure, and report a part apart, with what is called in it: a function, "
               "FILE:FIRST-LAST, a name in ease_begin(...) of <ease.h>, `marks`: all these, or `ease_line`: lines of a "
               "program that it interprets", "list", "REGION", measures=True, again="never"),
        Option("-record", "record", "run, and keep in FILE all that it takes to run it again anywhere (`ease replay`; "
               "docs/replay.md)", "text", "FILE", again="same"),
        Option("-save", "save", "-measure, and keep the run in measurements.ease (`ease runs`, `ease report`, "
               "`ease compare`)", measures=True, again="never", sweeps=True, kept=True),
        Option("-db", "db", "-save, in another file", "text", "FILE", measures=True, again="same", sweeps=True, kept=True),
        Option("-trace", "trace", "run and write a trace of these kinds (comma separated): execution, cache (alone: lines "
               "of 16 bytes of code and references; cache:32: of 32), branch, "
               "syscalls, profile (counts only), or operations: of the program before there is a machine", "names", "KINDS",
               again="never"),
        Option("-trace-to", "trace_to", "where the trace goes: a file or pipe, - for standard output, none for nowhere "
               "(default: trace.ease)", "text", "FILE"),
        Option("-window", "window", "of -trace: only LENGTH instructions behind the first START ones; the run ends there",
               "text", "START,LENGTH"),
        Option("-why-not", "why_not", "run, and tell where instruction NAME nearly applied, how often that was executed, and "
               "what prevented it", "text", "NAME", again="never"),
    ),
    "For which machine": (
        Option("-m", "machine", "a machine's name or description file (default: {machine}; EASE_MACHINE in the environment "
               "names another; `ease machine list`)", "text", "MACHINE", sweeps=True, kept=True),
        Option("--set", "sets", "change one value of the description, such as registers.r.count=16; -measure takes several, "
               "too, as in registers.r.count=16,24 or 16..32..4 (`ease sweep` has more)", "list", "KEY=VALUE",
               sweeps=True, kept=True),
    ),
    "Preprocessor": (
        Option("-D", "defines", "define a macro (as 1, if no value is given)", "list", "NAME[=VALUE]", True, sweeps=True),
        Option("-U", "undefines", "undefine a macro", "list", "NAME", True, sweeps=True),
        Option("-I", "includes", "search DIR for headers (CPATH in the environment: DIR:DIR)", "list", "DIR", True,
               sweeps=True),
        Option("-iquote", "quote_includes", "the same before those of -I, for #include with quotes", "list", "DIR", True,
               sweeps=True),
        Option("-isystem", "system_includes", "the same, behind those of -I, and without warnings about these headers "
               "(C_INCLUDE_PATH: DIR:DIR)", "list", "DIR", True, sweeps=True),
        Option("-idirafter", "late_includes", "the same, but behind the library's headers", "list", "DIR", True, sweeps=True),
        Option("-include", "first", "include FILE before the first line", "list", "FILE", sweeps=True),
        Option("-dM", "macros", "-E, but write the definitions of all macros that there are in the end"),
        Option("-M", "dependencies", "-E, but write what the file depends on as a rule for make; -MM: without the library's "
               "headers", again="never"),
        Option("-MD", "dependencies_too", "write that rule to FILE.d as well; -MMD: without the library's headers",
               again="never"),
        Option("-P", "no_markers", "-E, but without line markers"),
        Option("-MF", "dependency_file", "write the rule to FILE", "text", "FILE", True),
        Option("-MT", "dependency_targets", "name of the rule's target; -MQ is the same", "list", "TARGET", True),
        Option("-MP", "dependency_phonies", "add an empty rule for each header"),
    ),
    "Linker": (
        Option("-l", "libraries", "take from libNAME.a what is missing; the C library needs none", "list", "NAME", True,
               again="never"),
        Option("--wrap", "wrapped", "files that use NAME without defining it use __wrap_NAME, and NAME by __real_NAME "
               "(-Wl,--wrap=NAME, as of GNU ld)", "list", "NAME"),
        Option("-L", "library_paths", "search DIR for libraries (LIBRARY_PATH: DIR:DIR)", "list", "DIR", True),
    ),
    "How": (
        Option("-phases", "phases", "run these phases, in this order, instead of the level's: a,(b,c)*,d repeats b and c "
               "until nothing changes; `-phases help` lists them", "text", "LIST", again="never"),
        Option("-without", "without", "leave these phases out (comma separated); `ease experiment phases` leaves out each in "
               "turn", "text", "LIST", again="never"),
        Option("-inline-limit", "inline_limit", "inline calls that grow their caller by N operations or less (default: 20 at "
               "-O2, else 0: none)", "count", "N"),
        Option("-profile", "profile", "compile for a run as an earlier one was, by its report in JSON (-report FILE.json)",
               "text", "FILE", again="never"),
        Option("-jobs", "jobs", "compile functions of large files, and files of the library, in N processes (default: one a "
               "core); the code is the same", "count", "N", again="same", sweeps=True),
        Option("-verify", "check", "check every invariant after every phase, and run functions on samples", again="never"),
        Option("-max-changes", "max_changes", "stop improving after N changes", "count", "N", again="never"),
        Option("-dump-dir", "dump", "write each function after each phase; every dump is legal input", "path", "DIR",
               again="never"),
        Option("-limit", "limit", "end the run after N instructions", "count", "N", again="never", kept=True),
        Option("-timeout", "timeout", "end the run after so long", "seconds", "SECONDS", again="same", kept=True),
        Option("-limit-memory", "limit_memory", "the program gets SIZE bytes of heap (64k, 16m, 1g), then malloc returns "
               "a null pointer", "bytes", "SIZE", again="never", kept=True, excludes=("-record",)),
        Option("-limit-output", "limit_output", "the program writes SIZE bytes, in all files together; then writing "
               "fails: file too large", "bytes", "SIZE", again="never", kept=True),
        Option("-limit-files", "limit_files", "the program makes N files and folders more than there were; then it is "
               "told that its quota is exceeded", "count", "N", again="never", kept=True),
        Option("-progress", "progress", "show what a measured run has come to, about once a second (on a terminal without "
               "asking)", again="never", sweeps=True),
        Option("-files", "folders", "the program may use files below DIR, too, beside those below the working directory; "
               "read=DIR: only read them; '*': read every file; none: use only what other -files name; tmp=DIR: what it calls "
               "/tmp is DIR, tmp=new: a new folder that is removed in the end "
               "(EASE_FILES in the environment: DIR:DIR)", "list", "DIR", kept=True),
        Option("-x", "language", "all files are of this language: c; none: what their names say", "text", "LANGUAGE", True),
        Option("-w", "quiet", "show no warnings", sweeps=True),
        Option("-fsyntax-only", "syntax_only", "only tell what is wrong with C files", again="never"),
        Option("-v", "verbose", "say which files are compiled and linked", again="never", sweeps=True),
        Option("-time", "times", "say where the time went: seconds of each step, for the program and for the library",
               again="never"),
    ),
}  # fmt: skip

# The options of easecc that a replay of a record has, too: all that do not change the program.
OF_REPLAYS = (
    "-measure", "-report", "-show", "--top", "--sort", "-timing", "-cache", "-over-time", "-predict", "-tool", "-region",
    "-sample",
    "-save", "-db", "-why-not", "-trace", "-trace-to", "-limit", "-timeout", "-progress",
)  # fmt: skip
ALIASES = {
    "--include": "-include", "-imacros": "-include", "-MQ": "-MT",
    "-###": "-v", "-xc": "-x",
}  # fmt: skip
OPTIONS = {option.name: option for options in SECTIONS.values() for option in options}
JOINED = sorted((option.name for option in OPTIONS.values() if option.joined), key=len, reverse=True)
# Folders in the environment, as for gcc: behind those of the options that set the same field.
FOLDER_VARIABLES = {"CPATH": "includes", "C_INCLUDE_PATH": "system_includes", "LIBRARY_PATH": "library_paths"}
LEVELS: dict[str, Literal[0, 1, 2, "s"]] = {
    "-O": 1, "-O0": 0, "-O1": 1, "-O2": 2, "-O3": 2, "-Ofast": 2, "-Og": 1, "-Os": "s", "-Oz": "s",
    **dict.fromkeys((f"-O{number}" for number in range(4, 10)), 2),  # as gcc: the highest
}  # fmt: skip

# What other compilers know and what changes nothing here: such options, beginnings of others, and those with a value behind.
IGNORED_WORDS = ("-s", "-C", "-CC", "-H", "-shared-libgcc", "-symbolic")
IGNORED = (
    "-g", "-pipe", "-static", "-pthread", "-no-pie", "-pie", "-rdynamic",
    "-pg", "-MG", "-B", "-specs=", "-stdlib=", "--sysroot=", "--coverage", "-trigraphs",
    "--param=", "--save-temps", "-save-temps", "-no-integrated-cpp",
    "-traditional", "-fPIC", "-fpic", "-fPIE", "-fpie", "-fno-", "-fomit-frame-pointer",
    "-fstrict", "-fvisibility", "-fstack-protector", "-fstack-clash-protection", "-fcf-protection", "-nodefaultlibs",
    "-nolibc", "-fdiagnostics", "-funroll", "-fwrapv",
    "-ffunction-sections", "-fdata-sections", "-fexceptions", "-fPIC", "-flto", "-finline",
    "-fprofile-arcs", "-ftest-coverage", "--undefined-version", "--version-script=", "--dynamic-list=", "--whole-archive",
    "--no-whole-archive", "--export-dynamic", "--as-needed", "--no-as-needed", "--no-undefined", "--start-group",
    "--end-group", "--gc-sections",  # libtool gives options of linkers without -Wl to compilers that it does not know
    "-fmessage-length", "-fmacro-prefix-map", "-ffile-prefix-map", "-fdebug-prefix-map", "-fvisibility", "-ftree",
    "-fexcess-precision", "-frounding-math", "-ftrapping-math", "-fcolor", "-fmax-errors", "-fpermissive", "-fasynchronous",
)  # fmt: skip
IGNORED_VALUED = (
    "--param", "-T", "-u", "-z", "-aux-info", "-arch", "-e", "-MJ",
    "-isysroot", "--sysroot", "-soname", "-rpath",
)  # fmt: skip
SWITCHES = {
    "-fstrict-aliasing": ("strict_aliasing", True), "-fno-strict-aliasing": ("strict_aliasing", False),
    "-fsection-anchors": ("groups", True), "-fno-section-anchors": ("groups", False), "-fcommon": ("groups", False),
}  # fmt: skip
STANDARD_SWITCHES: dict[str, tuple[str, Any]] = {
    "-fsigned-char": ("char_signed", True), "-fno-signed-char": ("char_signed", False),
    "-funsigned-char": ("char_signed", False), "-fno-unsigned-char": ("char_signed", True),
    "-fgnu89-inline": ("gnu89_inline", True), "-fno-gnu89-inline": ("gnu89_inline", False),
    "-ffreestanding": ("hosted", False), "-fno-hosted": ("hosted", False), "-fhosted": ("hosted", True),
    "-fshort-enums": ("short_enums", True), "-fno-short-enums": ("short_enums", False), "-fpack-struct": ("pack", 1),
    **{f"-fpack-struct={size}": ("pack", size) for size in (1, 2, 4, 8, 16)}, "-fno-pack-struct": ("pack", 0),
    "-fms-extensions": ("tagged_members", True), "-fplan9-extensions": ("tagged_members", True),
    "-fmath-errno": ("math_errno", True), "-fno-math-errno": ("math_errno", False), "-ffast-math": ("math_errno", False),
    **{f"-ffp-contract={word}": ("contracts", word != "off") for word in ("off", "on", "fast")},
    "-finstrument-functions": ("instruments", True), "-fno-instrument-functions": ("instruments", False),
}  # fields of the edition of C  # fmt: skip
REFUSED = {
    "-r": "objects are not linked to objects; put them into an archive with `ease ar`",
    "-nostdlib": "the start-up code and the C library are part of the machine",
    "-nostdinc": "the headers of the C library are those of the machine",
    "-fopenmp": "there are no threads",
}

_HEAD = """\
usage: easecc [options] file.c|file.o|file.a|file.rtl ... [-- program arguments]
"""
_TAIL = """\
  -O0 -O1 -O2 -Os    effort (default -O1); -Os: small code; -O3 and -Ofast are -O2, -Og is -O1
  -Wall -Wextra -W[no-]NAME -Werror[=NAME]  choose warnings, as in gcc; --help-warnings lists them
  -fno-strict-aliasing  do not conclude from the types of C that two references to memory are apart (-O2, -Os)
  -fno-section-anchors  put no objects side by side so that one register reaches them (-O2, -Os); so does -fcommon, for object
                     files that define an object together
  -fno-math-errno    square roots of numbers below 0 need not set errno, so that they are an instruction alone
  -ffp-contract=off  a*b+c is rounded twice (default with -std=cNN); =on, =fast: once if one instruction does it (with gnuNN)
  -funsigned-char -fsigned-char  what plain char is, if not as the machine's convention has it; as in gcc are
                     -fgnu89-inline -finstrument-functions -fshort-enums -fpack-struct[=N] -fms-extensions -ffreestanding
  -finstrument-functions  call __cyg_profile_func_enter and __cyg_profile_func_exit where functions begin and end
  -std=S             edition of C: c89 c99 c11 c17 c23, gnu89 to gnu23 (with gcc's extensions; default gnu17)
  -g -fOPTION -mOPTION and the like are accepted and change nothing (-mMACHINE is -m MACHINE); @FILE reads options from a file
  -V, --version      version        -help    this text        -dumpmachine -dumpversion -print-prog-name=NAME    as in gcc
"""


def usage(machine: str) -> str:
    """Return the help; `machine` is the default one."""
    text = _HEAD
    for title, options in SECTIONS.items():
        text += f"\n{title}\n" + "".join(map(lines, options))
    return (text + _TAIL).replace("{machine}", machine)


def lines(option: Option) -> str:
    """Return the lines of the help about one option."""
    import textwrap

    head = f"  {option.name} {option.value}".ljust(WIDTH + 1) + " "
    return textwrap.fill(
        option.about, MARGIN, initial_indent=head, subsequent_indent=" " * (WIDTH + 2), break_on_hyphens=False
    ) + "\n"  # fmt: skip
