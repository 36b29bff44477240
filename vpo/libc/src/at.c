/* openat, fstatat and their kin.  A path from a folder's descriptor goes by way of /proc/self/fd, as on Linux: few
   machines' systems have calls that take descriptors of folders. */

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DESCRIPTORS "/proc/self/fd/"

/* Return a path that needs no folder's descriptor, in `room` if it is another one; NULL and errno if there is none. */
static const char *from(int folder, const char *path, char room[PATH_MAX])
{
    char digits[3 * sizeof folder], *digit = digits + sizeof digits;
    size_t size = strlen(path) + 1, start;
    struct stat found;

    if (folder == AT_FDCWD || *path == '/')
        return path;
    if (fstat(folder, &found))
        return NULL;
    *--digit = '/';
    do
        *--digit = (char)('0' + folder % 10);
    while (folder /= 10);
    start = (size_t)(digits + sizeof digits - digit);
    if (!S_ISDIR(found.st_mode))
        errno = ENOTDIR;
    else if (size == 1)
        errno = ENOENT;
    else if (sizeof DESCRIPTORS - 1 + start + size > PATH_MAX)
        errno = ENAMETOOLONG;
    else {
        memcpy(room, DESCRIPTORS, sizeof DESCRIPTORS - 1);
        memcpy(room + sizeof DESCRIPTORS - 1, digit, start);
        memcpy(room + sizeof DESCRIPTORS - 1 + start, path, size);
        return room;
    }
    return NULL;
}

int openat(int folder, const char *path, int flags, ...)
{
    char room[PATH_MAX];
    mode_t mode = 0;
    va_list ap;

    if (flags & O_CREAT) {
        va_start(ap, flags);
        mode = va_arg(ap, mode_t);
        va_end(ap);
    }
    path = from(folder, path, room);
    return path ? open(path, flags, mode) : -1;
}

int fstatat(int folder, const char *path, struct stat *result, int flags)
{
    char room[PATH_MAX];

    if (flags & AT_EMPTY_PATH && *path == 0 && folder != AT_FDCWD)
        return fstat(folder, result);
    path = from(folder, path, room);
    if (path == NULL)
        return -1;
    return flags & AT_SYMLINK_NOFOLLOW ? lstat(path, result) : stat(path, result);
}

int mkdirat(int folder, const char *path, mode_t mode)
{
    char room[PATH_MAX];

    path = from(folder, path, room);
    return path ? mkdir(path, mode) : -1;
}

int unlinkat(int folder, const char *path, int flags)
{
    char room[PATH_MAX];

    path = from(folder, path, room);
    if (path == NULL)
        return -1;
    return flags & AT_REMOVEDIR ? rmdir(path) : unlink(path);
}

int renameat(int folder, const char *path, int to_folder, const char *to)
{
    char room[PATH_MAX], other[PATH_MAX];

    path = from(folder, path, room);
    to = path ? from(to_folder, to, other) : NULL;
    return to ? rename(path, to) : -1;
}

int faccessat(int folder, const char *path, int wanted, int flags)
{
    char room[PATH_MAX];

    (void)flags;
    path = from(folder, path, room);
    return path ? access(path, wanted) : -1;
}

int fchmodat(int folder, const char *path, mode_t mode, int flags)
{
    char room[PATH_MAX];

    (void)flags;
    path = from(folder, path, room);
    return path ? chmod(path, mode) : -1;
}

int fchownat(int folder, const char *path, uid_t user, gid_t group, int flags)
{
    char room[PATH_MAX];

    path = from(folder, path, room);
    if (path == NULL)
        return -1;
    return flags & AT_SYMLINK_NOFOLLOW ? lchown(path, user, group) : chown(path, user, group);
}

ssize_t readlinkat(int folder, const char *path, char *to, size_t size)
{
    char room[PATH_MAX];

    path = from(folder, path, room);
    return path ? readlink(path, to, size) : -1;
}

int linkat(int folder, const char *path, int to_folder, const char *to, int flags)
{
    char room[PATH_MAX], other[PATH_MAX];

    (void)flags;
    path = from(folder, path, room);
    to = path ? from(to_folder, to, other) : NULL;
    return to ? link(path, to) : -1;
}

int symlinkat(const char *text, int folder, const char *path)
{
    char room[PATH_MAX];

    path = from(folder, path, room);
    return path ? symlink(text, path) : -1;
}
