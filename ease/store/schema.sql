-- Version 4 of the tables of a store.  docs/store.md says what they mean.

CREATE TABLE machine (
    id INTEGER PRIMARY KEY,
    digest TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    description TEXT NOT NULL
);

CREATE TABLE program (
    id INTEGER PRIMARY KEY,
    digest TEXT NOT NULL UNIQUE,
    machine INTEGER NOT NULL REFERENCES machine,
    name TEXT NOT NULL
);

CREATE TABLE source (
    program INTEGER NOT NULL REFERENCES program ON DELETE CASCADE,
    file TEXT NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (program, file)
) WITHOUT ROWID;

CREATE TABLE kind (
    program INTEGER NOT NULL REFERENCES program ON DELETE CASCADE,
    number INTEGER NOT NULL,
    instruction TEXT NOT NULL,
    cause TEXT NOT NULL,
    size INTEGER NOT NULL,
    latency INTEGER NOT NULL,
    counted INTEGER NOT NULL,
    transfers INTEGER NOT NULL,
    rtl TEXT NOT NULL,
    assembly TEXT NOT NULL,
    PRIMARY KEY (program, number)
) WITHOUT ROWID;

CREATE TABLE operand (
    program INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    position INTEGER NOT NULL,
    field TEXT NOT NULL,
    mode TEXT NOT NULL,
    type TEXT NOT NULL,
    PRIMARY KEY (program, kind, position),
    FOREIGN KEY (program, kind) REFERENCES kind ON DELETE CASCADE
) WITHOUT ROWID;

CREATE TABLE constant (
    program INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    position INTEGER NOT NULL,
    use TEXT NOT NULL,
    bits INTEGER NOT NULL,
    PRIMARY KEY (program, kind, position),
    FOREIGN KEY (program, kind) REFERENCES kind ON DELETE CASCADE
) WITHOUT ROWID;

CREATE TABLE reference (
    program INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    position INTEGER NOT NULL,
    direction TEXT NOT NULL,
    cause TEXT NOT NULL,
    type TEXT NOT NULL,
    mode TEXT NOT NULL,
    PRIMARY KEY (program, kind, position),
    FOREIGN KEY (program, kind) REFERENCES kind ON DELETE CASCADE
) WITHOUT ROWID;

CREATE TABLE access (
    program INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    register TEXT NOT NULL,
    direction TEXT NOT NULL,
    code INTEGER NOT NULL,
    PRIMARY KEY (program, kind, register, direction),
    FOREIGN KEY (program, kind) REFERENCES kind ON DELETE CASCADE
) WITHOUT ROWID;

CREATE TABLE function (
    program INTEGER NOT NULL REFERENCES program ON DELETE CASCADE,
    number INTEGER NOT NULL,
    name TEXT NOT NULL,
    file TEXT NOT NULL,
    PRIMARY KEY (program, number)
) WITHOUT ROWID;

CREATE TABLE instruction (
    program INTEGER NOT NULL,
    function INTEGER NOT NULL,
    position INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    line INTEGER NOT NULL,
    run_end INTEGER NOT NULL,
    window TEXT NOT NULL,
    PRIMARY KEY (program, function, position),
    FOREIGN KEY (program, function) REFERENCES function ON DELETE CASCADE
) WITHOUT ROWID;

CREATE TABLE block (
    program INTEGER NOT NULL,
    function INTEGER NOT NULL,
    number INTEGER NOT NULL,
    first INTEGER NOT NULL,
    branch INTEGER,
    label TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (program, function, number),
    FOREIGN KEY (program, function) REFERENCES function ON DELETE CASCADE
) WITHOUT ROWID;

CREATE TABLE spilled (
    program INTEGER NOT NULL REFERENCES program ON DELETE CASCADE,
    window TEXT NOT NULL,
    position INTEGER NOT NULL,
    direction TEXT NOT NULL,
    cause TEXT NOT NULL,
    type TEXT NOT NULL,
    mode TEXT NOT NULL,
    PRIMARY KEY (program, window, position)
) WITHOUT ROWID;

CREATE TABLE run (
    id INTEGER PRIMARY KEY,
    program INTEGER NOT NULL REFERENCES program,
    time TEXT NOT NULL,
    identity TEXT NOT NULL,
    exit_status INTEGER NOT NULL,
    partial INTEGER NOT NULL,
    exact INTEGER NOT NULL,
    fault TEXT NOT NULL,
    instructions INTEGER NOT NULL
);

CREATE TABLE execution (
    run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    function INTEGER NOT NULL,
    position INTEGER NOT NULL,
    executed INTEGER NOT NULL,
    PRIMARY KEY (run, function, position)
) WITHOUT ROWID;

CREATE TABLE taken (
    run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    function INTEGER NOT NULL,
    block INTEGER NOT NULL,
    taken INTEGER NOT NULL,
    PRIMARY KEY (run, function, block)
) WITHOUT ROWID;

CREATE TABLE trap (
    run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    function INTEGER NOT NULL,
    position INTEGER NOT NULL,
    trapped INTEGER NOT NULL,
    PRIMARY KEY (run, function, position)
) WITHOUT ROWID;

CREATE TABLE simulation (
    run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    kind TEXT NOT NULL,
    content TEXT NOT NULL,
    PRIMARY KEY (run, kind)
) WITHOUT ROWID;

CREATE TABLE point (
    key TEXT PRIMARY KEY,
    time TEXT NOT NULL,
    about TEXT NOT NULL,
    content TEXT NOT NULL
) WITHOUT ROWID;

-- What people ask for: the instructions executed of each run, with all that is known of them.
CREATE VIEW executed AS
SELECT run.id AS run, program.name AS program, machine.name AS machine, function.name AS function, function.file AS file,
       instruction.line AS line, instruction.position AS position, kind.instruction AS instruction, kind.cause AS cause,
       kind.size AS size, kind.latency AS latency, kind.assembly AS assembly, kind.rtl AS rtl, kind.counted AS counted,
       ifnull(execution.executed, 0) AS executed
FROM run
JOIN program ON program.id = run.program
JOIN machine ON machine.id = program.machine
JOIN instruction ON instruction.program = program.id
JOIN function ON function.program = program.id AND function.number = instruction.function
JOIN kind ON kind.program = program.id AND kind.number = instruction.kind
LEFT JOIN execution ON execution.run = run.id AND execution.function = instruction.function
                   AND execution.position = instruction.position;
