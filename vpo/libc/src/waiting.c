/* sleep, usleep, nanosleep, pause: they return at once, and timers that would end meanwhile do. */

#include <errno.h>
#include <unistd.h>
#include "waiting.h"

int (*__pass_time)(struct timespec *);

int __wait(struct timespec *limit)
{
    int ended = 0;

    if (__pass_time)
        while ((ended = __pass_time(limit)) == 2)
            ;
    return ended;
}

int nanosleep(const struct timespec *duration, struct timespec *left)
{
    struct timespec rest = *duration;

    if (rest.tv_sec < 0 || rest.tv_nsec < 0 || rest.tv_nsec > 999999999) {
        errno = EINVAL;
        return -1;
    }
    if (__wait(&rest)) {
        if (left)
            *left = rest;
        errno = EINTR;
        return -1;
    }
    if (left)
        left->tv_sec = left->tv_nsec = 0;
    return 0;
}

unsigned sleep(unsigned seconds)
{
    struct timespec rest;

    rest.tv_sec = seconds;
    rest.tv_nsec = 0;
    return nanosleep(&rest, &rest) ? rest.tv_sec + (rest.tv_nsec > 0) : 0;
}

int usleep(unsigned microseconds)
{
    struct timespec rest;

    rest.tv_sec = microseconds / 1000000;
    rest.tv_nsec = microseconds % 1000000 * 1000L;
    return nanosleep(&rest, NULL);
}

int pause(void)
{
    __wait(NULL);
    errno = EINTR;
    return -1;
}
