/* The scheduler of one thread. */

#include <errno.h>
#include <sched.h>

int sched_yield(void)
{
    return 0;
}

int sched_get_priority_min(int policy)
{
    (void)policy;
    return 0;
}

int sched_get_priority_max(int policy)
{
    (void)policy;
    return 0;
}

int sched_getscheduler(pid_t process)
{
    (void)process;
    return SCHED_OTHER;
}

int sched_getparam(pid_t process, struct sched_param *parameters)
{
    (void)process;
    parameters->sched_priority = 0;
    return 0;
}

int sched_setparam(pid_t process, const struct sched_param *parameters)
{
    (void)process;
    if (parameters->sched_priority == 0)
        return 0;
    errno = EINVAL;
    return -1;
}

int sched_setscheduler(pid_t process, int policy, const struct sched_param *parameters)
{
    if (policy == SCHED_OTHER)
        return sched_setparam(process, parameters);
    errno = EPERM;
    return -1;
}

int sched_rr_get_interval(pid_t process, struct timespec *interval)
{
    (void)process;
    *interval = (struct timespec){0, 0};
    return 0;
}
