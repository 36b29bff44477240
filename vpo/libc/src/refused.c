/* What programs ask of a system that is not there: other processes, links, owners, other working directories. */

#include <errno.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>
#include <utime.h>

static int refuse(void)
{
    errno = ENOSYS;
    return -1;
}

int setitimer(int which, const struct itimerval *value, struct itimerval *old)
{
    (void)which;
    (void)value;
    (void)old;
    return refuse();
}

int getitimer(int which, struct itimerval *value)
{
    static const struct itimerval none;

    (void)which;
    *value = none;
    return 0;
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

int utimes(const char *path, const struct timeval times[2])
{
    (void)path;
    (void)times;
    return refuse();
}

pid_t fork(void)
{
    return refuse();
}

pid_t vfork(void)
{
    return refuse();
}

int fchdir(int fd)
{
    (void)fd;
    return refuse();
}

int lchown(const char *path, uid_t user, gid_t group)
{
    (void)path;
    (void)user;
    (void)group;
    return refuse();
}

int setuid(uid_t user)
{
    (void)user;
    return refuse();
}

int setgid(gid_t group)
{
    (void)group;
    return refuse();
}

int seteuid(uid_t user)
{
    (void)user;
    return refuse();
}

int setegid(gid_t group)
{
    (void)group;
    return refuse();
}

int nice(int step)
{
    (void)step;
    return refuse();
}

int chroot(const char *path)
{
    (void)path;
    return refuse();
}

int execv(const char *path, char *const words[])
{
    (void)path;
    (void)words;
    return refuse();
}

int execvp(const char *path, char *const words[])
{
    (void)path;
    (void)words;
    return refuse();
}

int execve(const char *path, char *const words[], char *const variables[])
{
    (void)path;
    (void)words;
    (void)variables;
    return refuse();
}

int execl(const char *path, const char *word, ...)
{
    (void)path;
    (void)word;
    return refuse();
}

int execlp(const char *path, const char *word, ...)
{
    (void)path;
    (void)word;
    return refuse();
}

int mkfifo(const char *path, mode_t mode)
{
    (void)path;
    (void)mode;
    return refuse();
}

int futimens(int fd, const struct timespec times[2])
{
    (void)fd;
    (void)times;
    return refuse();
}
