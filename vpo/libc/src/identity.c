/* getpid, getuid and their kin, umask, fsync: a machine with one process and one user. */

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define PAGE 4096

pid_t getpid(void)
{
    return 1;
}

uid_t getuid(void)
{
    return 0;
}

uid_t geteuid(void)
{
    return 0;
}

gid_t getgid(void)
{
    return 0;
}

gid_t getegid(void)
{
    return 0;
}

mode_t umask(mode_t mode)
{
    static mode_t mask = 022;
    mode_t old = mask;

    mask = mode & 0777;
    return old;
}

int fsync(int fd)
{
    return fcntl(fd, F_GETFD) < 0 ? -1 : 0;
}

int fdatasync(int fd)
{
    return fsync(fd);
}

void sync(void)
{
}

pid_t getppid(void)
{
    return 0;
}

pid_t getpgrp(void)
{
    return 1;
}

pid_t setsid(void)
{
    return 1;
}

char *getlogin(void)
{
    errno = ENOTTY;
    return NULL;
}

char *ttyname(int fd)
{
    (void)fd;
    errno = ENOTTY;
    return NULL;
}

int gethostname(char *name, size_t size)
{
    strncpy(name, "ease", size);
    return 0;
}

int getpagesize(void)
{
    return PAGE;
}

long sysconf(int name)
{
    switch (name) {
    case _SC_ARG_MAX: return 131072;
    case _SC_CHILD_MAX: return 1;
    case _SC_CLK_TCK: return CLOCKS_PER_SEC;
    case _SC_NGROUPS_MAX: return NGROUPS_MAX;
    case _SC_STREAM_MAX: return 16;
    case _SC_TZNAME_MAX: return 6;
    case _SC_JOB_CONTROL:
    case _SC_SAVED_IDS: return 1;
    case _SC_LINE_MAX: return LINE_MAX;
    case _SC_RE_DUP_MAX: return RE_DUP_MAX;
    case _SC_IOV_MAX: return IOV_MAX;
    case _SC_GETGR_R_SIZE_MAX:
    case _SC_GETPW_R_SIZE_MAX: return 1024;
    case _SC_LOGIN_NAME_MAX: return LOGIN_NAME_MAX;
    case _SC_TTY_NAME_MAX: return TTY_NAME_MAX;
    case _SC_HOST_NAME_MAX: return HOST_NAME_MAX;
    case _SC_SYMLOOP_MAX: return 8;
    case _SC_THREADS: return -1;
    case _SC_MONOTONIC_CLOCK: return 200809;
    case _SC_OPEN_MAX: return 1024;
    case _SC_VERSION: return 200809;
    case _SC_PAGESIZE: return PAGE;
    case _SC_NPROCESSORS_CONF:
    case _SC_NPROCESSORS_ONLN: return 1;
    case _SC_PHYS_PAGES:
    case _SC_AVPHYS_PAGES: return 4096;
    }
    errno = EINVAL;
    return -1;
}

long pathconf(const char *path, int name)
{
    (void)path;
    if (name == _PC_NAME_MAX)
        return NAME_MAX;
    if (name == _PC_PATH_MAX)
        return PATH_MAX;
    errno = EINVAL;
    return -1;
}

long fpathconf(int fd, int name)
{
    (void)fd;
    return pathconf("", name);
}
