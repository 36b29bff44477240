/* stat, lstat, fstat, access, isatty: what opening a file and seeking in it tells. */

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "stream.h"

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

int access(const char *path, int mode)
{
    struct stat found;

    (void)mode;
    return stat(path, &found);
}

int isatty(int fd)
{
    (void)fd;
    errno = ENOTTY;
    return 0;
}
