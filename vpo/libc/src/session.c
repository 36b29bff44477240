/* Groups, sessions, terminals and names of a machine with one process and one user. */

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int getgroups(int size, gid_t groups[])
{
    (void)size;
    (void)groups;
    return 0;
}

pid_t getpgid(pid_t process)
{
    (void)process;
    return 1;
}

pid_t getsid(pid_t process)
{
    (void)process;
    return 1;
}

int setpgid(pid_t process, pid_t group)
{
    (void)process;
    (void)group;
    return 0;
}

int setpgrp(void)
{
    return 0;
}

pid_t tcgetpgrp(int fd)
{
    (void)fd;
    errno = ENOTTY;
    return -1;
}

int tcsetpgrp(int fd, pid_t group)
{
    (void)group;
    return (int)tcgetpgrp(fd);
}

int getlogin_r(char *name, size_t size)
{
    (void)name;
    (void)size;
    return ENOTTY;
}

int ttyname_r(int fd, char *name, size_t size)
{
    (void)fd;
    (void)name;
    (void)size;
    return ENOTTY;
}

char *getpass(const char *prompt)
{
    (void)prompt;
    errno = ENXIO;
    return NULL;
}

long gethostid(void)
{
    return 0;
}

int getdomainname(char *name, size_t size)
{
    strncpy(name, "(none)", size);
    return 0;
}

void closefrom(int first)
{
    int fd, end = getdtablesize();

    for (fd = first; fd < end; fd++)
        close(fd);
}

char *getwd(char *path)
{
    return getcwd(path, PATH_MAX);
}

size_t confstr(int name, char *text, size_t size)
{
    static const char path[] = "/bin:/usr/bin";

    if (name != _CS_PATH) {
        errno = EINVAL;
        return 0;
    }
    if (size) {
        strncpy(text, path, size - 1);
        text[size - 1] = 0;
    }
    return sizeof path;
}
