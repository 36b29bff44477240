/* clock_nanosleep, clock_getcpuclockid, timelocal, dysize, strftime_l */

#include <errno.h>
#include <stddef.h>
#include <time.h>

/* Time does not pass while a program waits. */
int clock_nanosleep(clockid_t clock_id, int flags, const struct timespec *time, struct timespec *left)
{
    (void)clock_id;
    return nanosleep(time, flags & TIMER_ABSTIME ? NULL : left) ? errno : 0;
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
