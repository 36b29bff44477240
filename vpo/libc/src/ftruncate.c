/* ftruncate, truncate */

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>
#include "libc.h"

int ftruncate(int fd, off_t size)
{
#if defined(__SYS_ftruncate)
    return __result(__ease_syscall(__SYS_ftruncate, (long)fd, size));
#elif defined(__SYS_ftruncate64)
    return __result(__ease_syscall(__SYS_ftruncate64, (long)fd, size, size < 0 ? -1L : 0L));
#else
    errno = ENOSYS;
    return -1;
#endif
}

int truncate(const char *path, off_t size)
{
    int failed, fd = __open_file(path, O_WRONLY, 0);

    if (fd < 0)
        return -1;
    failed = ftruncate(fd, size);
    close(fd);
    return failed;
}
