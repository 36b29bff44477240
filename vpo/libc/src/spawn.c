/* posix_spawn and what prepares it: there are no other processes. */

#include <errno.h>
#include <spawn.h>

int posix_spawn(
    pid_t *process, const char *path, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
    char *const words[], char *const variables[])
{
    (void)process;
    (void)path;
    (void)actions;
    (void)attributes;
    (void)words;
    (void)variables;
    return ENOSYS;
}

int posix_spawnp(
    pid_t *process, const char *name, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
    char *const words[], char *const variables[])
{
    return posix_spawn(process, name, actions, attributes, words, variables);
}

int posix_spawn_file_actions_init(posix_spawn_file_actions_t *actions)
{
    actions->__count = 0;
    return 0;
}

int posix_spawn_file_actions_destroy(posix_spawn_file_actions_t *actions)
{
    (void)actions;
    return 0;
}

int posix_spawn_file_actions_addclose(posix_spawn_file_actions_t *actions, int fd)
{
    (void)fd;
    actions->__count++;
    return 0;
}

int posix_spawn_file_actions_adddup2(posix_spawn_file_actions_t *actions, int fd, int wanted)
{
    (void)fd;
    (void)wanted;
    actions->__count++;
    return 0;
}

int posix_spawn_file_actions_addopen(
    posix_spawn_file_actions_t *actions, int fd, const char *path, int flags, mode_t mode)
{
    (void)fd;
    (void)path;
    (void)flags;
    (void)mode;
    actions->__count++;
    return 0;
}

int posix_spawnattr_init(posix_spawnattr_t *attributes)
{
    attributes->__flags = 0;
    return 0;
}

int posix_spawnattr_destroy(posix_spawnattr_t *attributes)
{
    (void)attributes;
    return 0;
}

int posix_spawnattr_setflags(posix_spawnattr_t *attributes, short flags)
{
    attributes->__flags = flags;
    return 0;
}
