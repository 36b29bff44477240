/* remove, unlink, rename */

#include <errno.h>
#include <stdio.h>
#include <unistd.h>
#include "libc.h"

int unlink(const char *path)
{
#if defined(__SYS_unlink)
    return __result(__ease_syscall(__SYS_unlink, (long)path));
#elif defined(__SYS_unlinkat)
    return __result(__ease_syscall(__SYS_unlinkat, HERE, (long)path, 0L));
#else
    errno = ENOSYS;
    return -1;
#endif
}

int remove(const char *path)
{
    int failed = unlink(path);

    return failed && (errno == EISDIR || errno == EPERM) ? rmdir(path) : failed;
}

int rename(const char *from, const char *to)
{
#if defined(__SYS_rename)
    return __result(__ease_syscall(__SYS_rename, (long)from, (long)to));
#elif defined(__SYS_renameat2)
    return __result(__ease_syscall(__SYS_renameat2, HERE, (long)from, HERE, (long)to, 0L));
#else
    errno = ENOSYS;
    return -1;
#endif
}
