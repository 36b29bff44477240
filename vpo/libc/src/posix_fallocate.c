/* posix_fallocate: a file is made longer. */

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

int posix_fallocate(int fd, off_t offset, off_t length)
{
    struct stat found;

    if (offset < 0 || length <= 0)
        return EINVAL;
    if (fstat(fd, &found) != 0)
        return EBADF;
    return found.st_size >= offset + length || ftruncate(fd, offset + length) == 0 ? 0 : errno;
}
