/* readv, writev, preadv, pwritev */

#include <sys/uio.h>
#include <unistd.h>

ssize_t readv(int fd, const struct iovec *parts, int count)
{
    ssize_t total = 0;

    for (; count > 0; count--, parts++) {
        ssize_t size = read(fd, parts->iov_base, parts->iov_len);

        if (size < 0)
            return total ? total : size;
        total += size;
        if ((size_t)size < parts->iov_len)
            break;
    }
    return total;
}

ssize_t writev(int fd, const struct iovec *parts, int count)
{
    ssize_t total = 0;

    for (; count > 0; count--, parts++) {
        ssize_t size = write(fd, parts->iov_base, parts->iov_len);

        if (size < 0)
            return total ? total : size;
        total += size;
        if ((size_t)size < parts->iov_len)
            break;
    }
    return total;
}

ssize_t preadv(int fd, const struct iovec *parts, int count, off_t offset)
{
    ssize_t total = 0;

    for (; count > 0; count--, parts++) {
        ssize_t size = pread(fd, parts->iov_base, parts->iov_len, offset + total);

        if (size < 0)
            return total ? total : size;
        total += size;
        if ((size_t)size < parts->iov_len)
            break;
    }
    return total;
}

ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t offset)
{
    ssize_t total = 0;

    for (; count > 0; count--, parts++) {
        ssize_t size = pwrite(fd, parts->iov_base, parts->iov_len, offset + total);

        if (size < 0)
            return total ? total : size;
        total += size;
        if ((size_t)size < parts->iov_len)
            break;
    }
    return total;
}
