/* getrlimit, setrlimit: the number of open files is the only limit that is known. */

#include <errno.h>
#include <sys/resource.h>

int getrlimit(int which, struct rlimit *result)
{
    result->rlim_cur = result->rlim_max = which == RLIMIT_NOFILE ? 1024 : RLIM_INFINITY;
    return 0;
}

int setrlimit(int which, const struct rlimit *wanted)
{
    (void)which;
    (void)wanted;
    errno = EPERM;
    return -1;
}
