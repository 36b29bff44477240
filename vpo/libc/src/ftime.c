/* The time in milliseconds. */

#include <stddef.h>
#include <sys/time.h>
#include <sys/timeb.h>

int ftime(struct timeb *result)
{
    struct timeval now;

    if (gettimeofday(&now, NULL))
        return -1;
    result->time = now.tv_sec;
    result->millitm = now.tv_usec / 1000;
    result->timezone = result->dstflag = 0;
    return 0;
}
