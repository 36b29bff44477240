#ifndef _TIMEVAL_H
#define _TIMEVAL_H
#include <_time_t.h>
struct timeval {
    time_t tv_sec;
    long tv_usec;
};
#endif
