/* stat, lstat, fstat, access, isatty: by statx, which is the same on every machine, else by opening and seeking. */

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "stream.h"

#ifdef __SYS_statx

#define EVERYTHING 0x7ffL
#define LINK_ITSELF 0x100
#define OF_DESCRIPTOR 0x1000

struct moment {
    int64_t seconds;
    uint32_t nanoseconds;
    int32_t unused;
};

struct status {
    uint32_t known, block_size;
    uint64_t attributes;
    uint32_t links, user, group;
    uint16_t mode, unused;
    uint64_t number, size, blocks, known_attributes;
    struct moment accessed, made, changed, modified;
    uint32_t kind_major, kind_minor, device_major, device_minor;
    uint64_t more[14];
};

static int ask(int fd, const char *path, int how, struct stat *result)
{
    struct status found;

    if (__result(__ease_syscall(__SYS_statx, (long)fd, (long)path, (long)how, EVERYTHING, (long)&found)))
        return -1;
    memset(result, 0, sizeof *result);
    result->st_dev = (dev_t)found.device_major << 8 | found.device_minor;
    result->st_rdev = (dev_t)found.kind_major << 8 | found.kind_minor;
    result->st_ino = (ino_t)found.number;
    result->st_mode = found.mode;
    result->st_nlink = found.links;
    result->st_uid = found.user;
    result->st_gid = found.group;
    result->st_size = (off_t)found.size;
    result->st_blksize = BUFSIZ;
    result->st_blocks = (long)found.blocks;
    result->st_atim.tv_sec = (time_t)found.accessed.seconds;
    result->st_mtim.tv_sec = (time_t)found.modified.seconds;
    result->st_ctim.tv_sec = (time_t)found.changed.seconds;
    return 0;
}

int fstat(int fd, struct stat *result)
{
    return ask(fd, "", OF_DESCRIPTOR, result);
}

int stat(const char *path, struct stat *result)
{
    return ask(HERE, path, 0, result);
}

int lstat(const char *path, struct stat *result)
{
    return ask(HERE, path, LINK_ITSELF, result);
}

#else

int fstat(int fd, struct stat *result)
{
    long here = __seek(fd, 0L, SEEK_CUR);
    char byte;

    memset(result, 0, sizeof *result);
    result->st_nlink = 1;
    result->st_blksize = BUFSIZ;
    if (here < 0) {
        if (errno != ESPIPE)
            return -1;
        result->st_mode = S_IFCHR | 0600;
        return 0;
    }
    if (read(fd, &byte, 0) < 0 && errno == EISDIR) {
        result->st_mode = S_IFDIR | 0755;
        return 0;
    }
    result->st_mode = S_IFREG | 0644;
    result->st_size = __seek(fd, 0L, SEEK_END);
    result->st_blocks = (result->st_size + 511) / 512;
    __seek(fd, here, SEEK_SET);
    return 0;
}

int stat(const char *path, struct stat *result)
{
    int failed, fd = __open_file(path, O_RDONLY, 0);

    if (fd < 0)
        return -1;
    failed = fstat(fd, result);
    close(fd);
    return failed;
}

int lstat(const char *path, struct stat *result)
{
    return stat(path, result);
}

#endif

int access(const char *path, int mode)
{
    struct stat found;

    if (stat(path, &found))
        return -1;
    if (mode & X_OK && !(found.st_mode & 0111)) {
        errno = EACCES;
        return -1;
    }
    return 0;
}

int isatty(int fd)
{
    if (fcntl(fd, F_GETFD) >= 0)
        errno = ENOTTY;
    return 0;
}
