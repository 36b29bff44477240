/* A qemu-user plugin: counts executed instructions, exactly, by an addition per translation block.
 * The few declarations needed of qemu's plugin interface (version 1) are written out, as distributions ship no header.
 * Arguments: out=FILE, where the decimal count is written when the program ends; from=N, to=N, the addresses that count. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t plugin_id;
struct block;
extern void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id, void (*)(plugin_id, struct block *));
extern void qemu_plugin_register_vcpu_insn_exec_inline(void *, int, void *, uint64_t);
extern size_t qemu_plugin_tb_n_insns(const struct block *);
extern void *qemu_plugin_tb_get_insn(const struct block *, size_t);
extern uint64_t qemu_plugin_insn_vaddr(const void *);
extern void qemu_plugin_register_atexit_cb(plugin_id, void (*)(plugin_id, void *), void *);

int qemu_plugin_version = 1;

static uint64_t executed, from, to = UINT64_MAX;
static const char *path;

static void translated(plugin_id id, struct block *block)
{
    (void)id;
    for (size_t i = 0; i < qemu_plugin_tb_n_insns(block); i++) {
        void *instruction = qemu_plugin_tb_get_insn(block, i);
        uint64_t address = qemu_plugin_insn_vaddr(instruction);
        if (from <= address && address < to)
            qemu_plugin_register_vcpu_insn_exec_inline(instruction, 0, &executed, 1);
    }
}

static void finished(plugin_id id, void *unused)
{
    (void)id;
    (void)unused;
    FILE *file = fopen(path, "w");
    if (file) {
        fprintf(file, "%" PRIu64 "\n", executed);
        fclose(file);
    }
}

int qemu_plugin_install(plugin_id id, const void *info, int argc, char **argv)
{
    (void)info;
    for (int i = 0; i < argc; i++)
        if (strncmp(argv[i], "out=", 4) == 0)
            path = strdup(argv[i] + 4);
        else if (strncmp(argv[i], "from=", 5) == 0)
            from = strtoull(argv[i] + 5, NULL, 0);
        else if (strncmp(argv[i], "to=", 3) == 0)
            to = strtoull(argv[i] + 3, NULL, 0);
    if (!path)
        return -1;
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    qemu_plugin_register_atexit_cb(id, finished, NULL);
    return 0;
}
