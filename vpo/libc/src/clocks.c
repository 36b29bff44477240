/* clock_nanosleep, clock_getcpuclockid, timelocal, dysize, strftime_l */

#include <errno.h>
#include <stddef.h>
#include <time.h>

/* Time does not pass while a program waits, but for timers. */
int clock_nanosleep(clockid_t clock_id, int flags, const struct timespec *time, struct timespec *left)
{
    struct timespec now, rest = *time;

    if (!(flags & TIMER_ABSTIME))
        return nanosleep(time, left) ? errno : 0;
    clock_gettime(clock_id, &now);
    if (rest.tv_nsec >= 0 && rest.tv_nsec < 1000000000L) {
        rest.tv_sec -= now.tv_sec + (rest.tv_nsec < now.tv_nsec);
        rest.tv_nsec += (rest.tv_nsec < now.tv_nsec ? 1000000000L : 0) - now.tv_nsec;
        if (rest.tv_sec < 0)
            return 0;
    }
    return nanosleep(&rest, NULL) ? errno : 0;
}

int clock_getcpuclockid(pid_t process, clockid_t *clock_id)
{
    (void)process;
    *clock_id = CLOCK_PROCESS_CPUTIME_ID;
    return 0;
}

time_t timelocal(struct tm *date)
{
    return mktime(date);
}

int dysize(int year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 366 : 365;
}

size_t strftime_l(char *text, size_t size, const char *format, const struct tm *date, locale_t locale)
{
    (void)locale;
    return strftime(text, size, format, date);
}
