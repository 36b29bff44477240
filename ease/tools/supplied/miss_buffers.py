"""What a victim cache or stream buffers would save behind a direct-mapped data cache (Jouppi, ISCA 1990)."""

from ease.tools import ADDRESS, Array, Program, Table

SIZE = 8192  # bytes of the cache
LINE = 32  # bytes of a line
VICTIMS = 4  # lines that went last, which come back when they are wanted
STREAMS = 4  # misses on consecutive lines that are followed at a time

tags = Array()
kept = Array(fill=-1)  # VICTIMS lines, the last that went first, and STREAMS lines that are awaited, the last used first
references = 0
misses = 0
victims = 0
streamed = 0
either = 0


def instrument(program: Program) -> None:
    tags.resize(SIZE // LINE)
    kept.resize(VICTIMS + STREAMS)
    for reference in program.references:
        reference.before(look_up, ADDRESS)


def look_up(address: int) -> None:
    global either, misses, references, streamed, victims
    references += 1
    line = address // LINE
    place = line % (SIZE // LINE)
    if tags[place] == line + 1:
        return
    misses += 1
    was_victim = take(line, 0, VICTIMS, tags[place] - 1)
    was_awaited = take(line, VICTIMS, STREAMS, line + 1)
    victims += was_victim
    streamed += was_awaited
    either += was_victim | was_awaited
    tags[place] = line + 1


def take(line: int, first: int, count: int, new: int) -> int:
    place = first
    while place < first + count - 1 and kept[place] != line:
        place += 1
    found = kept[place] == line
    while place > first:
        kept[place] = kept[place - 1]
        place -= 1
    kept[first] = new
    return found


def report(program: Program) -> Table:
    rows = [
        (name, saved, misses - saved, 100 * saved / max(misses, 1))
        for name, saved in (("neither", 0), ("victim cache", victims), ("stream buffers", streamed), ("both", either))
    ]
    return Table(f"Data cache: {references} references", ["behind it", "saved", "misses left", "per cent saved"], rows)
