/* readv, writev, preadv, pwritev: parts one after the other, until one is not whole. */

#include <sys/uio.h>
#include <unistd.h>

typedef ssize_t transfer(int fd, void *part, size_t size, off_t offset);

static ssize_t read_part(int fd, void *part, size_t size, off_t offset)
{
    (void)offset;
    return read(fd, part, size);
}

static ssize_t write_part(int fd, void *part, size_t size, off_t offset)
{
    (void)offset;
    return write(fd, part, size);
}

static ssize_t write_part_at(int fd, void *part, size_t size, off_t offset)
{
    return pwrite(fd, part, size, offset);
}

static ssize_t all(int fd, const struct iovec *parts, int count, off_t offset, transfer *one)
{
    ssize_t total = 0;

    for (; count > 0; count--, parts++) {
        ssize_t size = one(fd, parts->iov_base, parts->iov_len, offset + total);

        if (size < 0)
            return total ? total : size;
        total += size;
        if ((size_t)size < parts->iov_len)
            break;
    }
    return total;
}

ssize_t readv(int fd, const struct iovec *parts, int count)
{
    return all(fd, parts, count, 0, read_part);
}

ssize_t writev(int fd, const struct iovec *parts, int count)
{
    return all(fd, parts, count, 0, write_part);
}

ssize_t preadv(int fd, const struct iovec *parts, int count, off_t offset)
{
    return all(fd, parts, count, offset, pread);
}

ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t offset)
{
    return all(fd, parts, count, offset, write_part_at);
}
