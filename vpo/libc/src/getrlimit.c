/* getrlimit, setrlimit: the number of open files is the only limit that is known.  getpriority, setpriority */

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

int getpriority(int which, id_t who)
{
    (void)which;
    (void)who;
    return 0;
}

int setpriority(int which, id_t who, int priority)
{
    (void)which;
    (void)who;
    if (priority == 0)
        return 0;
    errno = EPERM;
    return -1;
}
