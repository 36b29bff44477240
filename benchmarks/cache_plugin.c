/* A qemu-user plugin that simulates an instruction cache, a data cache, or one cache for both (LRU, write-allocate): what a
 * user of qemu would write, made as fast as its interface allows.  Compiled for one cache, all of whose numbers are
 * constants: -DLINE=bytes -DSETS=n -DWAYS=n, with -DINSTRUCTION, -DDATA, or both for a unified one.
 *
 * Fetches are looked up once for each run of instructions in one line; in a unified cache also after a reference to data
 * that another fetch from the same line follows, since it may have evicted the line.  That is exact if an instruction makes
 * at most one reference to data.
 *
 * Arguments: out=FILE, where "fetches misses references misses" are written when the program ends; from=N, to=N, the
 * addresses of the program.  With -DPLACES, addresses on the stack are those of another stack: sp=N, its stack pointer at
 * the start (the program's first reference is there), strings=N, where its arguments begin, behind=N, how many bytes before
 * the end of the last page of qemu's stack they begin there. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* the part of qemu's plugin interface, version 1, that is used; distributions ship no header */
typedef uint64_t plugin_id;
struct block;
struct instruction;
extern void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id, void (*)(plugin_id, struct block *));
extern void qemu_plugin_register_vcpu_tb_exec_cb(struct block *, void (*)(unsigned, void *), int, void *);
extern void qemu_plugin_register_vcpu_tb_exec_inline(struct block *, int, void *, uint64_t);
extern void qemu_plugin_register_vcpu_insn_exec_cb(struct instruction *, void (*)(unsigned, void *), int, void *);
extern void qemu_plugin_register_vcpu_mem_cb(struct instruction *, void (*)(unsigned, uint32_t, uint64_t, void *), int, int, void *);
extern size_t qemu_plugin_tb_n_insns(const struct block *);
extern struct instruction *qemu_plugin_tb_get_insn(const struct block *, size_t);
extern uint64_t qemu_plugin_insn_vaddr(const struct instruction *);
extern size_t qemu_plugin_insn_size(const struct instruction *);
extern unsigned qemu_plugin_mem_size_shift(uint32_t);
extern void qemu_plugin_register_atexit_cb(plugin_id, void (*)(plugin_id, void *), void *);
enum { NO_REGISTERS = 0, READ_AND_WRITE = 3, ADD = 0 };

int qemu_plugin_version = 1;

static uint64_t tags[SETS][WAYS]; /* line number + 1, the most recently used first */
static uint64_t fetches, fetch_misses, references, reference_misses;
static uint64_t from, to = UINT64_MAX;
static const char *path;

/* Looks a line up; returns 1 for a miss. */
static inline uint64_t look_up(uint64_t line)
{
    uint64_t *set = tags[line % SETS], tag = line + 1, kept = set[0];

    if (kept == tag)
        return 0;
    set[0] = tag;
    for (int way = 1; way < WAYS; way++) {
        uint64_t other = set[way];

        set[way] = kept;
        if (other == tag)
            return 0;
        kept = other;
    }
    return 1;
}

#ifdef PLACES
static uint64_t sp, strings, behind, lowest = UINT64_MAX, first_string, move, move_strings;

static uint64_t placed(uint64_t address)
{
    if (lowest == UINT64_MAX) { /* the first reference */
        first_string = (address | 4095) + 1 - behind;
        lowest = address - (64 << 20);
        move = sp - address;
        move_strings = strings - first_string;
    }
    return address < lowest ? address : address + (address < first_string ? move : move_strings);
}
#else
#define placed(address) (address)
#endif

static inline void refer(uint32_t info, uint64_t address)
{
    uint64_t first = placed(address) / LINE;
    uint64_t last = (placed(address) + (UINT64_C(1) << qemu_plugin_mem_size_shift(info)) - 1) / LINE;

    references++;
    reference_misses += look_up(first);
    if (last != first)
        reference_misses += look_up(last);
}

static void referred(unsigned processor, uint32_t info, uint64_t address, void *unused)
{
    (void)processor;
    (void)unused;
    refer(info, address);
}

/* In a unified cache, where the next instruction is in the same line as this one. */
static void referred_within_line(unsigned processor, uint32_t info, uint64_t address, void *line)
{
    (void)processor;
    refer(info, address);
    fetch_misses += look_up((uint64_t)(uintptr_t)line);
}

static void fetched(unsigned processor, void *line)
{
    (void)processor;
    fetch_misses += look_up((uint64_t)(uintptr_t)line);
}

struct lines {
    uint64_t first, last;
};

static void fetched_lines(unsigned processor, void *data)
{
    const struct lines *lines = data;

    (void)processor;
    for (uint64_t line = lines->first; line <= lines->last; line++)
        fetch_misses += look_up(line);
}

static uint64_t last_line(const struct instruction *instruction)
{
    return (qemu_plugin_insn_vaddr(instruction) + qemu_plugin_insn_size(instruction) - 1) / LINE;
}

#if defined INSTRUCTION && defined DATA
static void instrument(struct block *block, size_t count)
{
    uint64_t current = UINT64_MAX;

    for (size_t i = 0; i < count; i++) {
        struct instruction *instruction = qemu_plugin_tb_get_insn(block, i);
        uint64_t first = qemu_plugin_insn_vaddr(instruction) / LINE, last = last_line(instruction);
        int again = i + 1 < count && qemu_plugin_insn_vaddr(qemu_plugin_tb_get_insn(block, i + 1)) / LINE == last;

        for (uint64_t line = first; line <= last; line++)
            if (line != current)
                qemu_plugin_register_vcpu_insn_exec_cb(instruction, fetched, NO_REGISTERS, (void *)(uintptr_t)line);
        current = last;
        qemu_plugin_register_vcpu_mem_cb(instruction, again ? referred_within_line : referred, NO_REGISTERS, READ_AND_WRITE,
                                         (void *)(uintptr_t)last);
    }
}
#elif defined INSTRUCTION
static void instrument(struct block *block, size_t count)
{
    struct lines *lines = malloc(sizeof *lines);

    lines->first = qemu_plugin_insn_vaddr(qemu_plugin_tb_get_insn(block, 0)) / LINE;
    lines->last = last_line(qemu_plugin_tb_get_insn(block, count - 1));
    if (lines->first == lines->last)
        qemu_plugin_register_vcpu_tb_exec_cb(block, fetched, NO_REGISTERS, (void *)(uintptr_t)lines->first);
    else
        qemu_plugin_register_vcpu_tb_exec_cb(block, fetched_lines, NO_REGISTERS, lines);
}
#else
static void instrument(struct block *block, size_t count)
{
    for (size_t i = 0; i < count; i++)
        qemu_plugin_register_vcpu_mem_cb(qemu_plugin_tb_get_insn(block, i), referred, NO_REGISTERS, READ_AND_WRITE, NULL);
}
#endif

static void translated(plugin_id id, struct block *block)
{
    size_t count = qemu_plugin_tb_n_insns(block);
    uint64_t address = qemu_plugin_insn_vaddr(qemu_plugin_tb_get_insn(block, 0));

    (void)id;
    if (address < from || address >= to)
        return;
    qemu_plugin_register_vcpu_tb_exec_inline(block, ADD, &fetches, count);
    instrument(block, count);
}

static void finished(plugin_id id, void *unused)
{
    FILE *file = fopen(path, "w");

    (void)id;
    (void)unused;
    if (file == NULL)
        return;
    fprintf(file, "%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", fetches, fetch_misses, references, reference_misses);
    fclose(file);
}

/* Reads an argument of the form name=number. */
static void read_number(const char *argument, const char *name, uint64_t *number)
{
    size_t length = strlen(name);

    if (strncmp(argument, name, length) == 0 && argument[length] == '=')
        *number = strtoull(argument + length + 1, NULL, 0);
}

int qemu_plugin_install(plugin_id id, const void *info, int argc, char **argv)
{
    (void)info;
    for (int i = 0; i < argc; i++) {
        if (strncmp(argv[i], "out=", 4) == 0)
            path = strdup(argv[i] + 4);
        read_number(argv[i], "from", &from);
        read_number(argv[i], "to", &to);
#ifdef PLACES
        read_number(argv[i], "sp", &sp);
        read_number(argv[i], "strings", &strings);
        read_number(argv[i], "behind", &behind);
#endif
    }
    if (path == NULL)
        return -1;
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    qemu_plugin_register_atexit_cb(id, finished, NULL);
    return 0;
}
