/* What programs ask of a system that is not there: other processes, links, owners, permissions. */

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utime.h>

static int refuse(void)
{
    errno = ENOSYS;
    return -1;
}

int dup(int fd)
{
    (void)fd;
    return refuse();
}

int dup2(int fd, int other)
{
    (void)fd;
    (void)other;
    return refuse();
}

int pipe(int *ends)
{
    (void)ends;
    return refuse();
}

int chdir(const char *path)
{
    (void)path;
    return refuse();
}

int mkdir(const char *path, mode_t mode)
{
    (void)path;
    (void)mode;
    return refuse();
}

int rmdir(const char *path)
{
    (void)path;
    return refuse();
}

int link(const char *path, const char *other)
{
    (void)path;
    (void)other;
    return refuse();
}

int symlink(const char *path, const char *other)
{
    (void)path;
    (void)other;
    return refuse();
}

ssize_t readlink(const char *path, char *text, size_t size)
{
    (void)path;
    (void)text;
    (void)size;
    return refuse();
}

int truncate(const char *path, off_t size)
{
    (void)path;
    (void)size;
    return refuse();
}

int ftruncate(int fd, off_t size)
{
    (void)fd;
    (void)size;
    return refuse();
}

int chmod(const char *path, mode_t mode)
{
    (void)path;
    (void)mode;
    return refuse();
}

int fchmod(int fd, mode_t mode)
{
    (void)fd;
    (void)mode;
    return refuse();
}

int chown(const char *path, uid_t user, gid_t group)
{
    (void)path;
    (void)user;
    (void)group;
    return refuse();
}

int fchown(int fd, uid_t user, gid_t group)
{
    (void)fd;
    (void)user;
    (void)group;
    return refuse();
}

int utime(const char *path, const struct utimbuf *times)
{
    (void)path;
    (void)times;
    return refuse();
}

pid_t fork(void)
{
    return refuse();
}
