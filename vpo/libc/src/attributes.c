/* chmod, chown, utime and their kin, readlink: files keep owner and times, which harms nobody who asks for others;
   owners that there are not are refused. */

#include <errno.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>
#include <utime.h>
#include "libc.h"

static int exists(const char *path)
{
    struct stat found;

    return stat(path, &found);
}

static int is_open(int fd)
{
    struct stat found;

    return fstat(fd, &found);
}

/* Whether a file, about which stat has told, is to have the owner that it has. */
static int owned(int failed, const struct stat *found, uid_t user, gid_t group)
{
    if (failed)
        return -1;
    if ((user == (uid_t)-1 || user == found->st_uid) && (group == (gid_t)-1 || group == found->st_gid))
        return 0;
    errno = EPERM;
    return -1;
}

int chmod(const char *path, mode_t mode)
{
#ifdef __SYS_chmod
    return (int)__result(__ease_syscall(__SYS_chmod, (long)path, (long)mode));
#elif defined __SYS_fchmodat
    return (int)__result(__ease_syscall(__SYS_fchmodat, HERE, (long)path, (long)mode));
#else
    (void)mode;
    return exists(path);
#endif
}

int lchmod(const char *path, mode_t mode)
{
    return chmod(path, mode);
}

int fchmod(int fd, mode_t mode)
{
#ifdef __SYS_fchmod
    return (int)__result(__ease_syscall(__SYS_fchmod, (long)fd, (long)mode));
#else
    (void)mode;
    return is_open(fd);
#endif
}

int chown(const char *path, uid_t user, gid_t group)
{
    struct stat found;
    int failed = stat(path, &found);

    return owned(failed, &found, user, group);
}

int lchown(const char *path, uid_t user, gid_t group)
{
    return chown(path, user, group);
}

int fchown(int fd, uid_t user, gid_t group)
{
    struct stat found;
    int failed = fstat(fd, &found);

    return owned(failed, &found, user, group);
}

int utime(const char *path, const struct utimbuf *times)
{
    (void)times;
    return exists(path);
}

int utimes(const char *path, const struct timeval times[2])
{
    (void)times;
    return exists(path);
}

int lutimes(const char *path, const struct timeval times[2])
{
    return utimes(path, times);
}

int futimes(int fd, const struct timeval times[2])
{
    (void)times;
    return is_open(fd);
}

int futimens(int fd, const struct timespec times[2])
{
    (void)times;
    return is_open(fd);
}

int utimensat(int folder, const char *path, const struct timespec times[2], int how)
{
    (void)folder;
    (void)times;
    (void)how;
    return exists(path);
}

ssize_t readlink(const char *path, char *text, size_t size)
{
    (void)text;
    (void)size;
    if (exists(path) == 0)
        errno = EINVAL; /* it is no link */
    return -1;
}
