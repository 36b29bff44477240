/* dup, dup2, dup3 */

#include <errno.h>
#include <unistd.h>
#include "libc.h"

int dup(int fd)
{
#ifdef __SYS_dup
    return __result(__ease_syscall(__SYS_dup, (long)fd));
#else
    errno = ENOSYS;
    return -1;
#endif
}

int dup2(int fd, int wanted)
{
#if defined(__SYS_dup2)
    return __result(__ease_syscall(__SYS_dup2, (long)fd, (long)wanted));
#elif defined(__SYS_dup3)
    if (fd == wanted)
        return lseek(fd, 0, SEEK_CUR) < 0 && errno == EBADF ? -1 : fd;
    return __result(__ease_syscall(__SYS_dup3, (long)fd, (long)wanted, 0L));
#else
    errno = ENOSYS;
    return -1;
#endif
}

/* Flags are of no use, as nothing else is executed. */
int dup3(int fd, int wanted, int flags)
{
    (void)flags;
    if (fd != wanted)
        return dup2(fd, wanted);
    errno = EINVAL;
    return -1;
}
