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

/* The end of the six X in a name that `suffix` characters follow; NULL, and EINVAL, if they are not there. */
static char *place_in(char *name, int suffix)
{
    size_t length = strlen(name);
    char *end = name + length - suffix;

    if (suffix >= 0 && length >= 6 + (size_t)suffix && strncmp(end - 6, "XXXXXX", 6) == 0)
        return end;
    errno = EINVAL;
    return NULL;
}

/* Puts digits that were not used before into the six places before one. */
static void fill_in(char *place)
{
    unsigned long number = made++;
    int i;

    for (i = 0; i < 6; i++, number /= 10)
        *--place = '0' + number % 10;
}

int mkstemps(char *name, int suffix)
{
    char *place = place_in(name, suffix);
    int tries, fd = -1;

    for (tries = 0; place && tries < TMP_MAX; tries++) {
        fill_in(place);
        fd = __open_file(name, O_RDWR | O_CREAT | O_EXCL, 0600);
        if (fd >= 0 || errno != EEXIST)
            break;
    }
    return fd;
}

int mkstemp(char *name)
{
    return mkstemps(name, 0);
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
    char *place = place_in(name, 0);
    int tries;

    for (tries = 0; place && tries < TMP_MAX; tries++) {
        fill_in(place);
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
        fill_in(result + strlen(result));
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
