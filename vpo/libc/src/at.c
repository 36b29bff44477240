/* openat, fstatat and their kin: folders are named by paths only, so that the path must be absolute or from the working
   directory. */

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* Whether a path can be used without the folder of a descriptor. */
static int stands_alone(int folder, const char *path)
{
    if (folder == AT_FDCWD || *path == '/')
        return 1;
    errno = ENOSYS;
    return 0;
}

int openat(int folder, const char *path, int flags, ...)
{
    mode_t mode = 0;
    va_list ap;

    if (flags & O_CREAT) {
        va_start(ap, flags);
        mode = va_arg(ap, mode_t);
        va_end(ap);
    }
    return stands_alone(folder, path) ? open(path, flags, mode) : -1;
}

int fstatat(int folder, const char *path, struct stat *result, int flags)
{
    if (flags & AT_EMPTY_PATH && *path == 0 && folder != AT_FDCWD)
        return fstat(folder, result);
    if (!stands_alone(folder, path))
        return -1;
    return flags & AT_SYMLINK_NOFOLLOW ? lstat(path, result) : stat(path, result);
}

int mkdirat(int folder, const char *path, mode_t mode)
{
    return stands_alone(folder, path) ? mkdir(path, mode) : -1;
}

int unlinkat(int folder, const char *path, int flags)
{
    if (!stands_alone(folder, path))
        return -1;
    return flags & AT_REMOVEDIR ? rmdir(path) : unlink(path);
}

int renameat(int folder, const char *path, int to_folder, const char *to)
{
    return stands_alone(folder, path) && stands_alone(to_folder, to) ? rename(path, to) : -1;
}

int faccessat(int folder, const char *path, int wanted, int flags)
{
    (void)flags;
    return stands_alone(folder, path) ? access(path, wanted) : -1;
}

int fchmodat(int folder, const char *path, mode_t mode, int flags)
{
    (void)flags;
    return stands_alone(folder, path) ? chmod(path, mode) : -1;
}

int fchownat(int folder, const char *path, uid_t user, gid_t group, int flags)
{
    if (!stands_alone(folder, path))
        return -1;
    return flags & AT_SYMLINK_NOFOLLOW ? lchown(path, user, group) : chown(path, user, group);
}

ssize_t readlinkat(int folder, const char *path, char *to, size_t size)
{
    return stands_alone(folder, path) ? readlink(path, to, size) : -1;
}

int linkat(int folder, const char *path, int to_folder, const char *to, int flags)
{
    (void)flags;
    return stands_alone(folder, path) && stands_alone(to_folder, to) ? link(path, to) : -1;
}

int symlinkat(const char *text, int folder, const char *path)
{
    return stands_alone(folder, path) ? symlink(text, path) : -1;
}
