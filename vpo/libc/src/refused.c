/* What programs ask of a system that is not there: other processes, links, other users. */

#include <errno.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static int refuse(void)
{
    errno = ENOSYS;
    return -1;
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

pid_t fork(void)
{
    return refuse();
}

pid_t vfork(void)
{
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

int mkfifoat(int folder, const char *path, mode_t mode)
{
    (void)folder;
    return mkfifo(path, mode);
}

int mknod(const char *path, mode_t mode, dev_t device)
{
    (void)path;
    (void)mode;
    (void)device;
    return refuse();
}

int mknodat(int folder, const char *path, mode_t mode, dev_t device)
{
    (void)folder;
    return mknod(path, mode, device);
}

int setreuid(uid_t real, uid_t effective)
{
    (void)real;
    (void)effective;
    return refuse();
}

int setregid(gid_t real, gid_t effective)
{
    (void)real;
    (void)effective;
    return refuse();
}

int sethostname(const char *name, size_t length)
{
    (void)name;
    (void)length;
    return refuse();
}

int daemon(int stays, int keeps)
{
    (void)stays;
    (void)keeps;
    return refuse();
}

int execle(const char *path, const char *word, ...)
{
    (void)path;
    (void)word;
    return refuse();
}

int fexecve(int fd, char *const words[], char *const variables[])
{
    (void)fd;
    (void)words;
    (void)variables;
    return refuse();
}

int settimeofday(const struct timeval *value, const struct timezone *zone)
{
    (void)value;
    (void)zone;
    return refuse();
}

int adjtime(const struct timeval *change, struct timeval *old)
{
    (void)change;
    (void)old;
    return refuse();
}

int clock_settime(clockid_t clock_id, const struct timespec *value)
{
    (void)clock_id;
    (void)value;
    return refuse();
}
