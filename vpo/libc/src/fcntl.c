/* fcntl: locks are always granted, as there is one process. */

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <unistd.h>

static int is_open(int fd)
{
    return lseek(fd, 0, SEEK_CUR) >= 0 || errno != EBADF;
}

/* Copies a descriptor to the first number from `least` on that is not in use. */
static int copy_above(int fd, int least)
{
    int old = errno, wanted = least;

    while (is_open(wanted))
        wanted++;
    errno = old;
    return dup2(fd, wanted);
}

int fcntl(int fd, int command, ...)
{
    struct flock *lock;
    va_list ap;
    int least;

    if (!is_open(fd))
        return -1;
    switch (command) {
    case F_DUPFD:
    case F_DUPFD_CLOEXEC:
        va_start(ap, command);
        least = va_arg(ap, int);
        va_end(ap);
        return copy_above(fd, least);
    case F_GETFD:
    case F_SETFD:
    case F_SETFL:
    case F_SETLK:
    case F_SETLKW:
        return 0;
    case F_GETFL:
        return O_RDWR;
    case F_GETLK:
        va_start(ap, command);
        lock = va_arg(ap, struct flock *);
        va_end(ap);
        lock->l_type = F_UNLCK;
        return 0;
    }
    errno = EINVAL;
    return -1;
}

int flock(int fd, int operation)
{
    (void)operation;
    return fcntl(fd, F_GETFD) == -1 ? -1 : 0;
}
