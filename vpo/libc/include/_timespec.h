#ifndef __TIMESPEC_H
#define __TIMESPEC_H
#include <_time_t.h>
struct timespec {
    time_t tv_sec;
    long tv_nsec;
};
#endif
