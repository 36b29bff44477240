/* pread, pwrite */

#include <unistd.h>
#include "stream.h"

ssize_t pread(int fd, void *data, size_t size, off_t offset)
{
    off_t here = __seek(fd, 0, SEEK_CUR);
    ssize_t result;

    if (here < 0 || __seek(fd, offset, SEEK_SET) < 0)
        return -1;
    result = read(fd, data, size);
    __seek(fd, here, SEEK_SET);
    return result;
}

ssize_t pwrite(int fd, const void *data, size_t size, off_t offset)
{
    off_t here = __seek(fd, 0, SEEK_CUR);
    ssize_t result;

    if (here < 0 || __seek(fd, offset, SEEK_SET) < 0)
        return -1;
    result = write(fd, data, size);
    __seek(fd, here, SEEK_SET);
    return result;
}
