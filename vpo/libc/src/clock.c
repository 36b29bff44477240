/* clock_gettime, timespec_get, timespec_getres, gettimeofday, times, getrusage: by what time and clock know. */

#include <errno.h>
#include <stddef.h>
#include <sys/resource.h>
#include <sys/times.h>
#include <time.h>

int clock_gettime(clockid_t clock_id, struct timespec *result)
{
    clock_t used;

    if (clock_id == CLOCK_REALTIME || clock_id == CLOCK_REALTIME_COARSE || clock_id == CLOCK_REALTIME_ALARM) {
        result->tv_sec = time(NULL);
        result->tv_nsec = 0;
        return 0;
    }
    used = clock();
    if (used == -1) {
        errno = ENOSYS;
        return -1;
    }
    result->tv_sec = used / CLOCKS_PER_SEC;
    result->tv_nsec = used % CLOCKS_PER_SEC * 1000;
    return 0;
}

int timespec_get(struct timespec *result, int base)
{
    return base == TIME_UTC && clock_gettime(CLOCK_REALTIME, result) == 0 ? base : 0;
}

int timespec_getres(struct timespec *result, int base)
{
    if (base != TIME_UTC)
        return 0;
    if (result) {
        result->tv_sec = 1; /* as time() counts */
        result->tv_nsec = 0;
    }
    return base;
}

int gettimeofday(struct timeval *result, void *zone)
{
    (void)zone;
    if (result) {
        result->tv_sec = time(NULL);
        result->tv_usec = clock() % CLOCKS_PER_SEC;
    }
    return 0;
}

clock_t times(struct tms *result)
{
    clock_t used = clock();

    result->tms_utime = used;
    result->tms_stime = result->tms_cutime = result->tms_cstime = 0;
    return used;
}

int getrusage(int who, struct rusage *result)
{
    struct rusage none = {{0, 0}};
    clock_t used = who == RUSAGE_SELF ? clock() : 0;

    *result = none;
    result->ru_utime.tv_sec = used / CLOCKS_PER_SEC;
    result->ru_utime.tv_usec = used % CLOCKS_PER_SEC;
    return 0;
}
