/* A qemu-user plugin: counts executed instructions, exactly, by an addition per translation block.
 * The few declarations needed of qemu's plugin interface (version 1) are written out, as distributions ship no header.
 * Argument: out=FILE, where the decimal count is written when the program ends. */
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
extern void qemu_plugin_register_atexit_cb(plugin_id, void (*)(plugin_id, void *), void *);

int qemu_plugin_version = 1;

static uint64_t executed;
static const char *path;

static void translated(plugin_id id, struct block *block)
{
    (void)id;
    for (size_t i = 0; i < qemu_plugin_tb_n_insns(block); i++)
        qemu_plugin_register_vcpu_insn_exec_inline(qemu_plugin_tb_get_insn(block, i), 0, &executed, 1);
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
    if (!path)
        return -1;
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    qemu_plugin_register_atexit_cb(id, finished, NULL);
    return 0;
}
