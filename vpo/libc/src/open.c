/* open, creat */

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include "libc.h"

/* For fopen: programs may have an open of their own. */
int __open_file(const char *path, int how, int mode)
{
#if defined(__SYS_open)
    return __result(__ease_syscall(__SYS_open, (long)path, (long)how, (long)mode));
#elif defined(__SYS_openat)
    return __result(__ease_syscall(__SYS_openat, HERE, (long)path, (long)how, (long)mode));
#else
    errno = ENOSYS;
    return -1;
#endif
}

int open(const char *path, int how, ...)
{
    va_list ap;
    int mode = 0;

    if (how & O_CREAT) {
        va_start(ap, how);
        mode = va_arg(ap, int);
        va_end(ap);
    }
    return __open_file(path, how, mode);
}

int creat(const char *path, mode_t mode)
{
    return __open_file(path, O_WRONLY | O_CREAT | O_TRUNC, mode);
}
