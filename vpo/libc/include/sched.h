#ifndef _SCHED_H
#define _SCHED_H
/* There is one process and one thread: to yield does nothing. */
#include <sys/types.h>
#include <time.h>
#define SCHED_OTHER 0
#define SCHED_FIFO 1
#define SCHED_RR 2
struct sched_param {
    int sched_priority;
};
int sched_yield(void), sched_get_priority_min(int), sched_get_priority_max(int);
int sched_setscheduler(pid_t, int, const struct sched_param *), sched_getscheduler(pid_t);
int sched_rr_get_interval(pid_t, struct timespec *);
int sched_setparam(pid_t, const struct sched_param *), sched_getparam(pid_t, struct sched_param *);
#endif
