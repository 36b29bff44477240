/* tmpnam, tmpfile, mkstemp and its kin: files in the working directory, the only one that is sure to be writable. */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "libc.h"

static unsigned long made;

/* Puts digits that were not used before into the last six places of a name. */
static void fill_in(char *name)
{
    unsigned long number = made++;
    char *place = name + strlen(name);
    int i;

    for (i = 0; i < 6; i++, number /= 10)
        *--place = '0' + number % 10;
}

int mkstemp(char *name)
{
    size_t length = strlen(name);
    int tries, fd = -1;

    if (length < 6 || strcmp(name + length - 6, "XXXXXX")) {
        errno = EINVAL;
        return -1;
    }
    for (tries = 0; tries < TMP_MAX; tries++) {
        fill_in(name);
        fd = __open_file(name, O_RDWR | O_CREAT | O_EXCL, 0600);
        if (fd >= 0 || errno != EEXIST)
            break;
    }
    return fd;
}

int mkostemp(char *name, int flags)
{
    (void)flags;
    return mkstemp(name);
}

char *mktemp(char *name)
{
    int fd = mkstemp(name);

    if (fd < 0)
        *name = 0;
    else {
        close(fd);
        unlink(name);
    }
    return name;
}

char *mkdtemp(char *name)
{
    size_t length = strlen(name);
    int tries;

    if (length < 6 || strcmp(name + length - 6, "XXXXXX")) {
        errno = EINVAL;
        return NULL;
    }
    for (tries = 0; tries < TMP_MAX; tries++) {
        fill_in(name);
        if (mkdir(name, 0700) == 0)
            return name;
        if (errno != EEXIST)
            break;
    }
    return NULL;
}

char *tmpnam(char *name)
{
    static char own[L_tmpnam];
    char *result = name ? name : own;
    int fd;

    strcpy(result, "tmp.XXXXXX");
    do {
        fill_in(result);
        fd = __open_file(result, O_RDONLY, 0);
        if (fd >= 0)
            close(fd);
    } while (fd >= 0);
    return result;
}

FILE *tmpfile(void)
{
    char name[] = "tmp.XXXXXX";
    int fd = mkstemp(name);

    if (fd < 0)
        return NULL;
    unlink(name);
    return fdopen(fd, "w+");
}
