/* freopen */

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>
#include "stream.h"

#define KEPT (ALLOCATED | LISTED | UNBUFFERED | LINE_BUFFERED)
#define WAYS (CAN_READ | CAN_WRITE | APPENDING)

/* Returns the descriptor of a stream for another mode, at the start of the file; -1 if it cannot be used so. */
static int again(const FILE *f, int old, int how, int flags)
{
    if (!flags || flags & WAYS & ~old || (flags ^ old) & APPENDING) {
        errno = EBADF;
        return -1;
    }
    if (how & O_TRUNC && ftruncate(f->_fd, 0) < 0)
        return -1;
    return lseek(f->_fd, 0, SEEK_SET) < 0 && errno != ESPIPE ? -1 : f->_fd;
}

FILE *freopen(const char *path, const char *mode, FILE *f)
{
    int how, flags = __parse_mode(mode, &how), old = f->_flags;

    __flush(f);
    f->_flags &= KEPT;
    if (path == NULL && __attach(f, again(f, old, how, flags), flags))
        return f;
    __ease_syscall(__SYS_close, (long)f->_fd);
    return path && __open_stream(f, path, mode) ? f : NULL;
}
