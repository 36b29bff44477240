"""What a victim cache or stream buffers would save behind a direct-mapped data cache (Jouppi, ISCA 1990)."""

from ease.tools import ADDRESS, Array, Program, Table

SIZE = 8192  # bytes of the cache
LINE = 32  # bytes of a line
VICTIMS = 4  # lines that went last, which come back when they are wanted
STREAMS = 4  # misses on consecutive lines that are followed at a time

tags = Array()
victims = Array(fill=-1)  # the last that went is first
streams = Array(fill=-1)  # the line that each awaits; the last that was used is first
references = 0
misses = 0
kept = 0
streamed = 0
either = 0


def instrument(program: Program) -> None:
    tags.resize(SIZE // LINE)
    victims.resize(VICTIMS)
    streams.resize(STREAMS)
    for reference in program.references:
        reference.before(look_up, ADDRESS)


def look_up(address: int) -> None:
    global either, kept, misses, references, streamed
    references += 1
    line = address // LINE
    place = line % (SIZE // LINE)
    if tags[place] == line + 1:
        return
    misses += 1
    was_kept = keep(line, tags[place] - 1)
    was_streamed = follow(line)
    kept += was_kept
    streamed += was_streamed
    either += was_kept | was_streamed
    tags[place] = line + 1


def keep(line: int, gone: int) -> int:
    place = 0
    while place < VICTIMS - 1 and victims[place] != line:
        place += 1
    found = victims[place] == line
    while place:
        victims[place] = victims[place - 1]
        place -= 1
    victims[0] = gone
    return found


def follow(line: int) -> int:
    place = 0
    while place < STREAMS - 1 and streams[place] != line:
        place += 1
    found = streams[place] == line
    while place:
        streams[place] = streams[place - 1]
        place -= 1
    streams[0] = line + 1
    return found


def report(program: Program) -> Table:
    rows = [
        (name, saved, misses - saved, 100 * saved / max(misses, 1))
        for name, saved in (("neither", 0), ("victim cache", kept), ("stream buffers", streamed), ("both", either))
    ]
    return Table(f"Data cache: {references} references", ["behind it", "saved", "misses left", "per cent saved"], rows)
