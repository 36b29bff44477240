#ifndef _TIME_H
#define _TIME_H
#include <_size_t.h>
#include <_timespec.h>
#include <_clock_t.h>
#define CLOCKS_PER_SEC 1000000L
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
#define CLOCK_PROCESS_CPUTIME_ID 2
#define CLOCK_THREAD_CPUTIME_ID 3
#define CLOCK_MONOTONIC_RAW 4
#define CLOCK_REALTIME_COARSE 5
#define CLOCK_MONOTONIC_COARSE 6
#define CLOCK_BOOTTIME 7
#define CLOCK_REALTIME_ALARM 8
#define CLOCK_BOOTTIME_ALARM 9
#define CLOCK_TAI 11
#define TIMER_ABSTIME 1
#define TIME_UTC 1
struct tm {
    int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst;
    long tm_gmtoff;
    const char *tm_zone;
};
time_t time(time_t *);
clock_t clock(void);
double difftime(time_t, time_t);
time_t mktime(struct tm *);
struct tm *gmtime(const time_t *);
struct tm *localtime(const time_t *);
struct tm *gmtime_r(const time_t *, struct tm *);
struct tm *localtime_r(const time_t *, struct tm *);
char *asctime_r(const struct tm *, char *), *ctime_r(const time_t *, char *);
time_t timegm(struct tm *);
/* Time is universal time. */
extern char *tzname[2];
extern long timezone;
extern int daylight;
void tzset(void);
int clock_getres(clockid_t, struct timespec *), nanosleep(const struct timespec *, struct timespec *);
int clock_gettime(clockid_t, struct timespec *);
int timespec_get(struct timespec *, int);
#if __STDC_VERSION__ >= 202311L || defined _GNU_SOURCE
int timespec_getres(struct timespec *, int);
#endif
char *asctime(const struct tm *);
char *ctime(const time_t *);
char *strptime(const char *, const char *, struct tm *);
size_t strftime(char *, size_t, const char *, const struct tm *);
#if !defined __STRICT_ANSI__ || defined _GNU_SOURCE || defined _DEFAULT_SOURCE || defined _XOPEN_SOURCE || defined _POSIX_C_SOURCE
#include <_locale_t.h>
#include <sys/types.h>
int clock_settime(clockid_t, const struct timespec *), clock_getcpuclockid(pid_t, clockid_t *), dysize(int);
int clock_nanosleep(clockid_t, int, const struct timespec *, struct timespec *);
size_t strftime_l(char *, size_t, const char *, const struct tm *, locale_t);
time_t timelocal(struct tm *);
/* Timers end while a program waits. */
struct sigevent;
struct itimerspec {
    struct timespec it_interval, it_value;
};
int timer_create(clockid_t, struct sigevent *, timer_t *), timer_delete(timer_t), timer_getoverrun(timer_t);
int timer_settime(timer_t, int, const struct itimerspec *, struct itimerspec *), timer_gettime(timer_t, struct itimerspec *);
#endif
#endif
