/* A qemu-user plugin: counts executed instructions, exactly, by an addition per translation block.
 * The few declarations needed of qemu's plugin interface (version 1) are written out, as distributions ship no header.
 * Arguments: out=FILE, which holds the count, 8 bytes that are written as it grows, since nothing is called when a signal ends
 * the program; from=N, to=N, the addresses that count;
 * references=FD, a descriptor to which each fetch and each reference to data of these instructions is written. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef uint64_t plugin_id;
struct block;
extern void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id, void (*)(plugin_id, struct block *));
extern void qemu_plugin_register_vcpu_insn_exec_inline(void *, int, void *, uint64_t);
extern size_t qemu_plugin_tb_n_insns(const struct block *);
extern void *qemu_plugin_tb_get_insn(const struct block *, size_t);
extern uint64_t qemu_plugin_insn_vaddr(const void *);
extern size_t qemu_plugin_insn_size(const void *);
extern void qemu_plugin_register_vcpu_insn_exec_cb(void *, void (*)(unsigned, void *), int, void *);
extern void qemu_plugin_register_vcpu_mem_cb(void *, void (*)(unsigned, uint32_t, uint64_t, void *), int, int, void *);
extern unsigned qemu_plugin_mem_size_shift(uint32_t);
extern _Bool qemu_plugin_mem_is_store(uint32_t);
extern void qemu_plugin_register_atexit_cb(plugin_id, void (*)(plugin_id, void *), void *);

int qemu_plugin_version = 1;

static uint64_t *executed, from, to = UINT64_MAX;

enum { READ, WRITE, FETCH }; /* as cache_sim.results.Kind has them */
enum { READS_AND_WRITES = 3, ROOM = 1 << 14 };
struct reference {
    uint64_t address, what; /* kind and, above its 8 bits, size */
};
static struct reference made[ROOM];
static size_t waiting;
static int descriptor = -1;

static void flush(void)
{
    const char *from = (const char *)made, *end = from + waiting * sizeof *made;
    while (from < end) {
        ssize_t written = write(descriptor, from, (size_t)(end - from));
        if (written < 0)
            break;
        from += written;
    }
    waiting = 0;
}

static void note(uint64_t address, uint64_t kind, uint64_t size)
{
    made[waiting++] = (struct reference){address, kind | size << 8};
    if (waiting == ROOM)
        flush();
}

static void fetched(unsigned cpu, void *instruction)
{
    const struct reference *fetch = instruction;
    (void)cpu;
    note(fetch->address, FETCH, fetch->what);
}

static void referred(unsigned cpu, uint32_t facts, uint64_t address, void *unused)
{
    (void)cpu;
    (void)unused;
    note(address, qemu_plugin_mem_is_store(facts) ? WRITE : READ, UINT64_C(1) << qemu_plugin_mem_size_shift(facts));
}

static void watch(void *instruction)
{
    struct reference *fetch = malloc(sizeof *fetch); /* kept: translated code refers to it */
    if (!fetch)
        abort();
    *fetch = (struct reference){qemu_plugin_insn_vaddr(instruction), qemu_plugin_insn_size(instruction)};
    qemu_plugin_register_vcpu_insn_exec_cb(instruction, fetched, 0, fetch);
    qemu_plugin_register_vcpu_mem_cb(instruction, referred, 0, READS_AND_WRITES, NULL);
}

static void translated(plugin_id id, struct block *block)
{
    (void)id;
    for (size_t i = 0; i < qemu_plugin_tb_n_insns(block); i++) {
        void *instruction = qemu_plugin_tb_get_insn(block, i);
        uint64_t address = qemu_plugin_insn_vaddr(instruction);
        if (from <= address && address < to) {
            qemu_plugin_register_vcpu_insn_exec_inline(instruction, 0, executed, 1);
            if (descriptor >= 0)
                watch(instruction);
        }
    }
}

static void finished(plugin_id id, void *unused)
{
    (void)id;
    (void)unused;
    flush();
}

static uint64_t *counter(const char *path)
{
    int file = open(path, O_RDWR | O_CREAT, 0600);
    if (file < 0 || ftruncate(file, sizeof *executed))
        return NULL;
    uint64_t *count = mmap(NULL, sizeof *count, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    return count == MAP_FAILED ? NULL : count;
}

int qemu_plugin_install(plugin_id id, const void *info, int argc, char **argv)
{
    (void)info;
    for (int i = 0; i < argc; i++)
        if (strncmp(argv[i], "out=", 4) == 0)
            executed = counter(argv[i] + 4);
        else if (strncmp(argv[i], "from=", 5) == 0)
            from = strtoull(argv[i] + 5, NULL, 0);
        else if (strncmp(argv[i], "to=", 3) == 0)
            to = strtoull(argv[i] + 3, NULL, 0);
        else if (strncmp(argv[i], "references=", 11) == 0)
            descriptor = atoi(argv[i] + 11);
    if (!executed)
        return -1;
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    qemu_plugin_register_atexit_cb(id, finished, NULL);
    return 0;
}
