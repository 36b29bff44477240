/* statvfs, fstatvfs: the same answer in each run */

#include <limits.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

static int tell(int failed, struct statvfs *result)
{
    static const struct statvfs known = {4096, 4096, 1000000, 500000, 500000, 60000, 30000, 30000, 0, 0, NAME_MAX};

    if (!failed)
        *result = known;
    return failed;
}

int statvfs(const char *path, struct statvfs *result)
{
    struct stat found;

    return tell(stat(path, &found), result);
}

int fstatvfs(int fd, struct statvfs *result)
{
    struct stat found;

    return tell(fstat(fd, &found), result);
}
