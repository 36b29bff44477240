#ifndef _SYS_TIME_H
#define _SYS_TIME_H
#include <sys/types.h>
#include <_timeval.h>
struct timezone {
    int tz_minuteswest, tz_dsttime;
};
/* The timer of real time ends while a program waits; others are refused with ENOSYS. */
#define ITIMER_REAL 0
#define ITIMER_VIRTUAL 1
#define ITIMER_PROF 2
struct itimerval {
    struct timeval it_interval, it_value;
};
int getitimer(int, struct itimerval *), setitimer(int, const struct itimerval *, struct itimerval *);
int settimeofday(const struct timeval *, const struct timezone *), adjtime(const struct timeval *, struct timeval *);
int futimes(int, const struct timeval[2]), lutimes(const char *, const struct timeval[2]);
int gettimeofday(struct timeval *, void *), utimes(const char *, const struct timeval[2]);
#define timerclear(t) ((t)->tv_sec = (t)->tv_usec = 0)
#define timerisset(t) ((t)->tv_sec || (t)->tv_usec)
#define timercmp(a, b, op) ((a)->tv_sec == (b)->tv_sec ? (a)->tv_usec op (b)->tv_usec : (a)->tv_sec op (b)->tv_sec)
#define timeradd(a, b, to) \
    ((to)->tv_sec = (a)->tv_sec + (b)->tv_sec + ((a)->tv_usec + (b)->tv_usec) / 1000000, \
     (to)->tv_usec = ((a)->tv_usec + (b)->tv_usec) % 1000000)
#define timersub(a, b, to) \
    ((to)->tv_sec = (a)->tv_sec - (b)->tv_sec - ((a)->tv_usec < (b)->tv_usec), \
     (to)->tv_usec = (a)->tv_usec - (b)->tv_usec + ((a)->tv_usec < (b)->tv_usec) * 1000000)
#include <sys/select.h>
#endif
