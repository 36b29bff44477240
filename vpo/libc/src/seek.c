/* __seek: the system's seek, whichever of its forms there is; __seek_stream: that of a stream. */

#include <errno.h>
#include "stream.h"

long __seek(int fd, long offset, int whence)
{
#if defined(__SYS_lseek)
    return __result(__ease_syscall(__SYS_lseek, (long)fd, offset, (long)whence));
#elif defined(__SYS_llseek)
    long long position;
    long failed = __result(__ease_syscall(__SYS_llseek, (long)fd, offset < 0 ? -1L : 0L, offset, (long)&position,
                                          (long)whence));

    return failed ? -1 : (long)position;
#else
    errno = ENOSYS;
    return -1;
#endif
}

long __seek_stream(FILE *f, long offset, int whence)
{
    if (f->_flags & FUNCTIONS)
        return ((struct _functions *)f)->seek(f, offset, whence);
    return __seek(f->_fd, offset, whence);
}
