/* A qemu-user plugin that counts, exactly, the instructions at some addresses that are executed, and their references to
 * memory, by additions inside the translated code.
 *
 * qemu executes an x86 instruction with a repeat prefix once for each repetition.  Here it counts once: it is a repetition if
 * it is executed right behind itself.
 *
 * Arguments: out=FILE, where "instructions references" are written when the program ends; first=N, end=N, the addresses.
 * With words=on, lines "word executed" follow, in hexadecimal and decimal: the instruction at each address that was executed. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* the part of qemu's plugin interface, version 1, that is used; distributions ship no header */
typedef uint64_t plugin_id;
struct block;
struct instruction;
struct information {
    const char *target_name;
};
extern void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id, void (*)(plugin_id, struct block *));
extern void qemu_plugin_register_vcpu_insn_exec_cb(struct instruction *, void (*)(unsigned, void *), int, void *);
extern void qemu_plugin_register_vcpu_insn_exec_inline(struct instruction *, int, void *, uint64_t);
extern void qemu_plugin_register_vcpu_mem_inline(struct instruction *, int, int, void *, uint64_t);
extern size_t qemu_plugin_tb_n_insns(const struct block *);
extern struct instruction *qemu_plugin_tb_get_insn(const struct block *, size_t);
extern uint64_t qemu_plugin_insn_vaddr(const struct instruction *);
extern size_t qemu_plugin_insn_size(const struct instruction *);
extern const void *qemu_plugin_insn_data(const struct instruction *);
extern void qemu_plugin_register_atexit_cb(plugin_id, void (*)(plugin_id, void *), void *);
enum { NO_REGISTERS = 0, READ_AND_WRITE = 3, ADD = 0 };

int qemu_plugin_version = 1;

static uint64_t executed, references, repetitions, first, end = UINT64_MAX;
static uint64_t steps;           /* instructions executed at any address */
static uint64_t repeated, steps_then; /* the repeated instruction last executed, and `steps` then */
static int has_repeat_prefixes;
static const char *path;

struct place {
    uint64_t executed;
    uint32_t word; /* its first bytes, as a number */
};
static struct place *places; /* by address, from `first` on; none: they are not wanted */

static void repeat(unsigned processor, void *address)
{
    (void)processor;
    if (repeated == (uintptr_t)address && steps == steps_then + 1)
        repetitions++;
    repeated = (uintptr_t)address;
    steps_then = steps;
}

/* Returns whether an x86 instruction is a string operation with a repeat prefix. */
static int is_repeated(const struct instruction *instruction)
{
    const unsigned char *bytes = qemu_plugin_insn_data(instruction);
    size_t size = qemu_plugin_insn_size(instruction), i = 0;
    int prefix = 0;

    for (; i < size && (bytes[i] == 0xf2 || bytes[i] == 0xf3 || bytes[i] == 0x66); i++)
        prefix |= bytes[i] != 0x66;
    return prefix && i < size && ((bytes[i] >= 0xa4 && bytes[i] <= 0xa7) || (bytes[i] >= 0xaa && bytes[i] <= 0xaf));
}

static void translated(plugin_id id, struct block *block)
{
    (void)id;
    for (size_t i = 0; i < qemu_plugin_tb_n_insns(block); i++) {
        struct instruction *instruction = qemu_plugin_tb_get_insn(block, i);
        uint64_t address = qemu_plugin_insn_vaddr(instruction);

        if (has_repeat_prefixes)
            qemu_plugin_register_vcpu_insn_exec_inline(instruction, ADD, &steps, 1);
        if (address < first || address >= end)
            continue;
        if (has_repeat_prefixes && is_repeated(instruction))
            qemu_plugin_register_vcpu_insn_exec_cb(instruction, repeat, NO_REGISTERS, (void *)(uintptr_t)address);
        if (places) {
            struct place *place = &places[address - first];
            size_t size = qemu_plugin_insn_size(instruction);

            memcpy(&place->word, qemu_plugin_insn_data(instruction), size < 4 ? size : 4);
            qemu_plugin_register_vcpu_insn_exec_inline(instruction, ADD, &place->executed, 1);
        }
        qemu_plugin_register_vcpu_insn_exec_inline(instruction, ADD, &executed, 1);
        qemu_plugin_register_vcpu_mem_inline(instruction, READ_AND_WRITE, ADD, &references, 1);
    }
}

static void finished(plugin_id id, void *unused)
{
    FILE *file = fopen(path, "w");

    (void)id;
    (void)unused;
    if (file == NULL)
        return;
    fprintf(file, "%" PRIu64 " %" PRIu64 "\n", executed - repetitions, references);
    for (uint64_t i = 0; places && i < end - first; i++)
        if (places[i].executed)
            fprintf(file, "%" PRIx32 " %" PRIu64 "\n", places[i].word, places[i].executed);
    fclose(file);
}

int qemu_plugin_install(plugin_id id, const struct information *information, int argc, char **argv)
{
    int words = 0;

    has_repeat_prefixes = strcmp(information->target_name, "i386") == 0;
    for (int i = 0; i < argc; i++)
        if (strncmp(argv[i], "out=", 4) == 0)
            path = strdup(argv[i] + 4);
        else if (strncmp(argv[i], "first=", 6) == 0)
            first = strtoull(argv[i] + 6, NULL, 0);
        else if (strncmp(argv[i], "end=", 4) == 0)
            end = strtoull(argv[i] + 4, NULL, 0);
        else if (strcmp(argv[i], "words=on") == 0)
            words = 1;
    if (words)
        places = calloc(end - first, sizeof *places);
    if (path == NULL || (words && places == NULL))
        return -1;
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    qemu_plugin_register_atexit_cb(id, finished, NULL);
    return 0;
}
