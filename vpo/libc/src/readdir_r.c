/* readdir_r */

#include <dirent.h>
#include <errno.h>
#include <stddef.h>

int readdir_r(DIR *folder, struct dirent *entry, struct dirent **result)
{
    int old = errno;
    struct dirent *next;

    errno = 0;
    next = readdir(folder);
    if (next)
        *entry = *next;
    *result = next ? entry : NULL;
    if (errno)
        return errno;
    errno = old;
    return 0;
}
