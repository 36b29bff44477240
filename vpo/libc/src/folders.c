/* mkdir, rmdir, getcwd, realpath */

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "libc.h"

int mkdir(const char *path, mode_t mode)
{
#if defined(__SYS_mkdir)
    return __result(__ease_syscall(__SYS_mkdir, (long)path, (long)mode));
#elif defined(__SYS_mkdirat)
    return __result(__ease_syscall(__SYS_mkdirat, HERE, (long)path, (long)mode));
#else
    errno = ENOSYS;
    return -1;
#endif
}

int rmdir(const char *path)
{
#if defined(__SYS_rmdir)
    return __result(__ease_syscall(__SYS_rmdir, (long)path));
#elif defined(__SYS_unlinkat)
    return __result(__ease_syscall(__SYS_unlinkat, HERE, (long)path, 0x200L));
#else
    errno = ENOSYS;
    return -1;
#endif
}

char *getcwd(char *text, size_t size)
{
    char *result = text;

    if (text == NULL) {
        if (size == 0)
            size = PATH_MAX;
        result = malloc(size);
        if (result == NULL)
            return NULL;
    } else if (size == 0) {
        errno = EINVAL;
        return NULL;
    }
#ifdef __SYS_getcwd
    if (__result(__ease_syscall(__SYS_getcwd, (long)result, (long)size)) >= 0)
        return result;
#else
    errno = ENOSYS;
#endif
    if (text == NULL)
        free(result);
    return NULL;
}

/* Appends the parts of a path, one by one, to an absolute path without "." and "..". */
static int append(char *to, const char *path)
{
    char *end = to + strlen(to);

    while (*path) {
        size_t length = strcspn(path, "/");

        if (length == 2 && path[0] == '.' && path[1] == '.') {
            while (end > to && *--end != '/')
                ;
            *end = 0;
        } else if (length > 0 && !(length == 1 && *path == '.')) {
            if ((size_t)(end - to) + length + 2 > PATH_MAX) {
                errno = ENAMETOOLONG;
                return -1;
            }
            *end++ = '/';
            memcpy(end, path, length);
            end += length;
            *end = 0;
        }
        path += length;
        path += *path == '/';
    }
    if (end == to)
        strcpy(to, "/");
    return 0;
}

/* Symbolic links stay in the result: there is no way to read them. */
char *realpath(const char *path, char *text)
{
    struct stat found;
    char *result;

    if (*path == 0 || stat(path, &found)) {
        if (*path == 0)
            errno = ENOENT;
        return NULL;
    }
    result = text ? text : malloc(PATH_MAX);
    if (result == NULL)
        return NULL;
    *result = 0;
    if (*path != '/' && (getcwd(result, PATH_MAX) == NULL || strcmp(result, "/") == 0))
        *result = 0;
    if (append(result, path) == 0)
        return result;
    if (text == NULL)
        free(result);
    return NULL;
}
