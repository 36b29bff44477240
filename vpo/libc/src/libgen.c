/* basename, dirname */

#include <libgen.h>
#include <string.h>

char *basename(char *path)
{
    char *end;

    if (path == NULL || *path == 0)
        return ".";
    for (end = path + strlen(path); end > path + 1 && end[-1] == '/'; )
        *--end = 0;
    if (end == path + 1)
        return path;
    while (end > path && end[-1] != '/')
        end--;
    return end;
}

char *dirname(char *path)
{
    char *end = path ? path + strlen(path) : NULL;

    if (path == NULL || *path == 0)
        return ".";
    while (end > path && end[-1] == '/')
        end--;
    while (end > path && end[-1] != '/')
        end--;
    if (end == path)
        return *path == '/' ? "/" : ".";
    while (end > path + 1 && end[-1] == '/')
        end--;
    *end = 0;
    return path;
}
