/* chdir, fchdir */

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>
#include "libc.h"

int chdir(const char *path)
{
#ifdef __SYS_chdir
    return (int)__result(__ease_syscall(__SYS_chdir, (long)path));
#else
    /* To where the program is already it may go. */
    struct stat here, there;

    if (stat(path, &there) || stat(".", &here))
        return -1;
    return here.st_ino == there.st_ino && here.st_dev == there.st_dev ? 0 : (int)__result(-ENOSYS);
#endif
}

int fchdir(int fd)
{
#ifdef __SYS_fchdir
    return (int)__result(__ease_syscall(__SYS_fchdir, (long)fd));
#else
    (void)fd;
    return (int)__result(-ENOSYS);
#endif
}
