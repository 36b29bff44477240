/* time, clock, difftime */

#include <time.h>
#include "libc.h"

#if defined(__SYS_clock_gettime64) || (defined(__SYS_clock_gettime) && __SIZEOF_LONG__ == 8)

#ifdef __SYS_clock_gettime64
#define CLOCK_CALL __SYS_clock_gettime64
#else
#define CLOCK_CALL __SYS_clock_gettime
#endif

struct moment {
    long long seconds, nanoseconds;
};

static int ask(int clock, struct moment *moment)
{
    return __result(__ease_syscall(CLOCK_CALL, (long)clock, (long)moment)) == 0;
}

time_t time(time_t *where)
{
    struct moment now;
    time_t seconds = ask(0, &now) ? (time_t)now.seconds : -1;

    if (where)
        *where = seconds;
    return seconds;
}

clock_t clock(void)
{
    struct moment now;

    return ask(2, &now) ? (clock_t)now.seconds * CLOCKS_PER_SEC + (long)now.nanoseconds / 1000 : -1;
}

#elif defined(__SYS_gettimeofday)

struct moment {
    long seconds, microseconds;
};

static int ask(struct moment *moment)
{
    return __result(__ease_syscall(__SYS_gettimeofday, (long)moment, 0L)) == 0;
}

time_t time(time_t *where)
{
    struct moment now;
    time_t seconds = ask(&now) ? now.seconds : -1;

    if (where)
        *where = seconds;
    return seconds;
}

/* Time since the first call, as no other is known. */
clock_t clock(void)
{
    static struct moment start;
    struct moment now;

    if (!ask(&now))
        return -1;
    if (start.seconds == 0)
        start = now;
    return (now.seconds - start.seconds) * CLOCKS_PER_SEC + now.microseconds - start.microseconds;
}

#else

time_t time(time_t *where)
{
#ifdef __SYS_time
    time_t seconds = __result(__ease_syscall(__SYS_time, 0L));
#else
    time_t seconds = -1;
#endif

    if (where)
        *where = seconds;
    return seconds;
}

clock_t clock(void)
{
    return -1;
}

#endif

double difftime(time_t later, time_t earlier)
{
    return (double)later - (double)earlier;
}

int clock_getres(clockid_t clock_id, struct timespec *result)
{
    (void)clock_id;
    if (result) {
        result->tv_sec = 0;
        result->tv_nsec = 1000;
    }
    return 0;
}
