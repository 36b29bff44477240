/* posix_fadvise, madvise, posix_madvise: advice is not needed; lockf: nobody else has a lock. */

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

int posix_fadvise(int fd, off_t offset, off_t length, int advice)
{
    (void)offset;
    (void)length;
    if (advice < POSIX_FADV_NORMAL || advice > POSIX_FADV_NOREUSE)
        return EINVAL;
    return fcntl(fd, F_GETFL) < 0 ? EBADF : 0;
}

int posix_madvise(void *memory, size_t size, int advice)
{
    (void)memory;
    (void)size;
    return advice < POSIX_MADV_NORMAL || advice > POSIX_MADV_DONTNEED ? EINVAL : 0;
}

int madvise(void *memory, size_t size, int advice)
{
    int failed = posix_madvise(memory, size, advice);

    if (failed)
        errno = failed;
    return failed ? -1 : 0;
}

int lockf(int fd, int command, off_t size)
{
    (void)size;
    if (command >= F_ULOCK && command <= F_TEST)
        return fcntl(fd, F_GETFL) < 0 ? -1 : 0;
    errno = EINVAL;
    return -1;
}
