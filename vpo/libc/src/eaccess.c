/* eaccess, euidaccess, getdtablesize, canonicalize_file_name */

#include <stdlib.h>
#include <unistd.h>

int eaccess(const char *path, int mode)
{
    return access(path, mode);
}

int euidaccess(const char *path, int mode)
{
    return access(path, mode);
}

int getdtablesize(void)
{
    return (int)sysconf(_SC_OPEN_MAX);
}

char *canonicalize_file_name(const char *path)
{
    return realpath(path, NULL);
}
