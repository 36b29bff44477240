/* fcntl: locks are always granted, as there is one process. */

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <unistd.h>

int fcntl(int fd, int command, ...)
{
    struct flock *lock;
    va_list ap;

    if (lseek(fd, 0, SEEK_CUR) < 0 && errno == EBADF)
        return -1;
    switch (command) {
    case F_DUPFD:
    case F_DUPFD_CLOEXEC:
        return dup(fd);
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
