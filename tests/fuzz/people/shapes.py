"""Tagged unions, records of bits, chains of structures by value."""

from __future__ import annotations

from tests.fuzz.people.expressions import ranged
from tests.fuzz.people.scope import Function, Writer, fill, idiom, piece
from tests.fuzz.people.statements import lines


def register(
    writer: Writer, name: str, parameters: tuple[tuple[int, int], ...], ends: tuple[int, int], cost: int = 100
) -> None:
    """Let others call a function that a template has written."""
    writer.functions.append(Function(name, parameters, *ends, writer.cost + cost))


@piece(1.5)
def tagged(writer: Writer) -> None:
    """Write a union with a tag, what makes one, and what looks at it."""
    t, make, use = (writer.name(stem) for stem in ("value", "make_value", "use_value"))
    names = [f"{t.upper()}_{kind}" for kind in ("NONE", "INT", "LONG", "TEXT", "PAIR")]
    writer.tops.append(
        fill(
            "enum ${t}_kind { $kinds };\nstruct $t {\n$kind_field\nunion {\nint number;\nlong long large;\nconst char *text;\n"
            "struct { short first, second; } pair;\n} as;\n$more\n};",
            t=t,
            kinds=", ".join(names),
            kind_field=f"enum {t}_kind kind;",
            more=writer.chance.choice(("", "char mark;", "int line, column;")),
        )
    )
    writer.tops.append(
        fill(
            """$how struct $t $make(int kind, int n)
        {
            struct $t v = {0};
            v.kind = (enum ${t}_kind)kind;
            switch (v.kind) {
            case $integer: v.as.number = n * $a; break;
            case $large: v.as.large = (long long)n << $shift; break;
            case $text: v.as.text = n > $limit ? "more" : "less"; break;
            case $pair: v.as.pair.first = (short)n; v.as.pair.second = (short)(n - $a); break;
            case $none: break;
            }
            return v;
        }""",
            how=writer.storage(),
            t=t,
            make=make,
            integer=names[1],
            large=names[2],
            text=names[3],
            pair=names[4],
            none=names[0],
            a=writer.number(1, 9),
            shift=writer.number(1, 40),
            limit=writer.number(-5, 20),
        ).replace("(long long)n <<", "(long long)(n < 0 ? -n : n) <<")
    )
    scope = writer.scope(result=None)
    scope.read_only("n", -100, 100)
    pointer = writer.likely(0.5)
    parts = {name: lines(scope.inner(), writer.number(1, 3)) for name in ("none", "integer", "large", "pair", "text")}
    v = "v->" if pointer else "v."
    body = fill(
        """int size = $first, known = 0;
        switch (${v}kind) {
        case $KNONE: {
            $none
            return -1;
        }
        case $KINT:
            known = 1;
            {
            $integer
            }
            size = ${v}as.number % $mod;
            break;
        case $KLONG: {
            $large
            size = (int)(${v}as.large >> $shift & 1023);
            known = ${v}as.large > $bound;
            $break_
        }
        case $KPAIR:
            if (${v}kind == $KPAIR) {
                size = ${v}as.pair.first - ${v}as.pair.second;
                known = 1;
            }
            {
            $pair
            }
            break;
        case $KTEXT:
            known = strcmp(${v}as.text, "more") == 0;
            size += (int)strlen(${v}as.text);
            {
            $text
            }
            break;
        default:
            return $first;
        }
        if (!known)
            size = -size;
        return size;""",
        v=v,
        KNONE=names[0],
        KINT=names[1],
        KLONG=names[2],
        KPAIR=names[4],
        KTEXT=names[3],
        first=writer.number(0, 9),
        mod=writer.number(2, 100),
        shift=writer.number(0, 9),
        bound=writer.number(0, 1 << 20),
        break_=writer.chance.choice(("break;", "/* fall through */")),
        **parts,
    )
    writer.tops.append(
        f"{writer.storage()} int {use}({f'const struct {t} *v' if pointer else f'struct {t} v'}, int n)\n{{\n{body}\n}}"
    )
    name = writer.name("with_value")
    inner = fill(
        """struct $t a = $make(kind, n), b = a;
        int sum = $use(${amp}a, n);
        b.kind = (enum ${t}_kind)((kind + $step) % 5);
        b = $make((int)b.kind, sum % 90);
        if (a.kind != b.kind && $use(${amp}b, n) > $bound)
            a = b;
        return sum + $use(${amp}a, n);""",
        t=t,
        make=make,
        use=use,
        amp="&" if pointer else "",
        step=writer.number(0, 4),
        bound=writer.number(-2, 50),
    )
    writer.tops.append(f"{writer.storage()} int {name}(int kind, int n)\n{{\n{inner}\n}}")
    writer.cost *= 3
    register(writer, name, ((0, 4), (-100, 100)), (-4000, 4000))


@piece(1)
def bits(writer: Writer) -> None:
    """Write a record of bit-fields that is packed, unpacked and stepped."""
    t, name = writer.name("packed"), writer.name("pack")
    widths = [writer.number(1, 12) for _ in range(writer.number(3, 6))]
    kinds = [
        writer.chance.choice(("unsigned", "unsigned", "signed", "bool" if width == 1 else "unsigned")) for width in widths
    ]
    fields = "".join(f"{kind} f{number} : {width};\n" for number, (kind, width) in enumerate(zip(kinds, widths, strict=True)))
    writer.tops.append(f"struct {t} {{\n{fields}int plain;\n}};")
    scope = writer.scope(result=None)
    scope.read_only("x", -1000, 1000)
    sets = "\n".join(
        f"b.f{number} = {_of_bits(writer, kind, width)};"
        for number, (kind, width) in enumerate(zip(kinds, widths, strict=True))
    )
    last = len(widths) - 1
    body = fill(
        """struct $t b = {0}, saved;
        int changed = 0;
        b.plain = x;
        $sets
        saved = b;
        if (b.f0 == $some) {
            changed = 1;
            b.plain++;
            $body
        } else if (b.f1) {
            changed = 2;
            b.f$last = 0;
        }
        if (changed == 1)
            b = saved;
        $sums
        return changed + b.plain % 100;""",
        t=t,
        sets=sets,
        some=writer.number(0, 1),
        body=lines(scope, writer.number(1, 9)),
        last=last,
        sums="\n".join(f"checked = checked * 31 + (uint32_t)b.f{number};" for number in range(last + 1)),
    )
    writer.tops.append(f"{writer.storage()} int {name}(int x)\n{{\n{body}\n}}")
    register(writer, name, ((-1000, 1000),), (-100, 120), 40)


def _of_bits(writer: Writer, kind: str, width: int) -> str:
    """Return a value that fits in a bit-field."""
    if kind == "bool" or width == 1:
        return "-(x & 1)" if kind == "signed" else "x & 1"
    return f"x >> {writer.number(0, 5)} & {(1 << width - (kind == 'signed')) - 1}"


@piece(1)
def vectors(writer: Writer) -> None:
    """Write functions over a structure by value, and a chain of their calls."""
    t, add, turn, name = (writer.name(stem) for stem in ("vector", "added", "turned", "walk"))
    kind = writer.chance.choice(("int", "long", "short", "long long"))
    many = writer.number(2, 5)
    members = [f"m{number}" for number in range(many)]
    writer.tops.append(
        f"struct {t} {{ {kind} {', '.join(members)}; {writer.chance.choice(('', 'char tag;', 'bool valid;'))} }};"
    )
    sums = "\n".join(f"a.{one} = ({kind})((a.{one} + b.{one}) % {writer.number(50, 900)});" for one in members)
    writer.tops.append(f"{writer.storage()} struct {t} {add}(struct {t} a, struct {t} b)\n{{\n{sums}\nreturn a;\n}}")
    moved = "\n".join(
        f"r.{one} = {writer.chance.choice(('', '-'))}a->{other};"
        for one, other in zip(members, members[1:] + members[:1], strict=True)
    )
    writer.tops.append(
        f"{writer.storage()} struct {t} {turn}(const struct {t} *a)\n{{\nstruct {t} r = *a;\n{moved}\nreturn r;\n}}"
    )
    scope = writer.scope(result=None)
    scope.read_only("n", 0, 9)
    inside = scope.inner(9, loop=True)
    body = fill(
        """struct $t here = {$first}, way = {$second};
        long sum = 0;
        int turned = 0;
        for (int i = 0; i < n; i++) {
            if ($test) {
                way = $turn(&way);
                turned = 1;
                $body
            } else {
                turned = 0;
            }
            here = $add(here, turned ? $turn(&here) : way);
        }
        $all
        return (int)(sum % 10000) + turned;""",
        t=t,
        first=", ".join(str(writer.number(0, 9)) for _ in members),
        second=", ".join(str(writer.number(-9, 9)) for _ in members),
        test=ranged(inside, 0, 1),
        turn=turn,
        add=add,
        body=lines(inside, writer.number(0, 5)),
        all="\n".join(f"sum = sum * 3 + here.{one};" for one in members),
    )
    writer.tops.append(f"{writer.storage()} int {name}(int n)\n{{\n{body}\n}}")
    register(writer, name, ((0, 9),), (-10001, 10001), 200)


@idiom(0.5)
def pair_of_bytes(scope) -> str:
    """A word is put together from bytes, or taken apart into them."""
    if not scope.words or not scope.affords(20):
        return lines(scope.inner(depth=9), 1)
    one, name = scope.chance.choice(scope.words), scope.writer.name("bytes")
    order = scope.chance.choice(((0, 8, 16, 24), (24, 16, 8, 0)))
    apart = ", ".join(f"(unsigned char)({one} >> {shift})" for shift in order)
    together = " | ".join(f"(uint32_t){name}[{number}] << {shift}" for number, shift in enumerate(order))
    return (
        f"unsigned char {name}[4] = {{{apart}}};\n{name}[{scope.number(0, 3)}] ^= {scope.number(1, 255)};\n{one} = {together};"
    )
