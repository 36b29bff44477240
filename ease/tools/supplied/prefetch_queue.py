"""What a queue before the decoder fetches, which is filled ahead of it with lines out of a cache, as an i486's is."""

from ease.tools import ADDRESS, Array, Program, Table

QUEUE = 32  # bytes, but at least two lines; a transfer empties it
ROOM = 0  # bytes of room beyond those of the next line that it waits for before it asks for it
SIZE = 8192  # bytes of a cache for instructions and data, LRU, written through
LINE = 16
WAYS = 4
EVERY = 50000  # instructions after which the cache is emptied; 0: never
FIRST = 2  # cycles of the bus: for the first 4 bytes of a line
NEXT = 1  # for each 4 more
WRITE = 2  # for 4 bytes that are written
BUFFERS = 4  # words that wait to be written

tags = Array()  # set by set, in the order of use: a line and 1
executed = 0
now = 0  # cycles
free = 0  # when the bus is
expected = 0  # the address behind the last instruction
queued = 0  # the line that comes into the queue next
wanted = 0
wanted_missed = 0
ahead = 0
ahead_missed = 0
busy = 0
thrown = 0
read_missed = 0
full = 0


def instrument(program: Program) -> None:
    if SIZE % (LINE * WAYS):
        raise ValueError(f"a cache of {SIZE} bytes has no sets of {WAYS} lines of {LINE} bytes")
    tags.resize(SIZE // LINE)
    for instruction in program.instructions:
        instruction.before(fetch, instruction.address, instruction.size, instruction.latency)
    for reference in program.references:
        reference.before(refer, ADDRESS, reference.size, int(reference.is_write))


def fetch(address: int, size: int, latency: int) -> None:
    global executed, now, free, expected, queued, wanted, wanted_missed, ahead, ahead_missed, busy, thrown
    if EVERY and executed and executed % EVERY == 0:
        for place in range(len(tags)):
            tags[place] = 0
    executed += 1
    if address != expected:
        if executed > 1:
            thrown += max(queued - (expected - 1) // LINE - 1, 0)
        queued = address // LINE
    expected = address + size
    while queued <= (expected - 1) // LINE:
        wanted += 1
        if look_up(queued, 1) == 0:
            wanted_missed += 1
            fill()
        queued += 1
    now += latency
    if (queued + 1) * LINE + ROOM - expected <= max(QUEUE, 2 * LINE):
        if look_up(queued, 0):
            ahead += 1
            queued += 1
        elif free <= now:
            ahead += 1
            ahead_missed += 1
            free = now + FIRST + NEXT * (LINE // 4 - 1)
            queued += look_up(queued, 1) + 1
        else:
            busy += 1


def refer(address: int, size: int, write: int) -> None:
    global now, free, read_missed, full
    if write:
        free = max(free, now) + (size + 3) // 4 * WRITE
        if free - now > BUFFERS * WRITE:
            full += 1
            now = free - BUFFERS * WRITE
    for line in range(address // LINE, (address + size + LINE - 1) // LINE):
        if look_up(line, 1 - write) == 0 and write == 0:
            read_missed += 1
            fill()


def fill() -> None:
    global now, free
    now = max(now, free) + FIRST + NEXT * (LINE // 4 - 1)
    free = now


def look_up(line: int, brings: int) -> int:
    top = line % (SIZE // (LINE * WAYS)) * WAYS
    place = top
    while place < top + WAYS - 1 and tags[place] != line + 1:
        place += 1
    found = tags[place] == line + 1
    if found or brings:
        while place > top:
            tags[place] = tags[place - 1]
            place -= 1
        tags[top] = line + 1
    return found


def report(program: Program) -> list[Table]:
    fetched = [("when they are wanted", wanted, wanted_missed), ("ahead", ahead, ahead_missed)]
    rest = [(executed, thrown, busy, read_missed, full)]
    return [
        Table("Lines fetched into the queue", ["", "lines", "from memory"], fetched),
        Table("Around the queue", ["instructions", "lines thrown away", "bus busy", "read misses", "buffers full"], rest),
    ]
