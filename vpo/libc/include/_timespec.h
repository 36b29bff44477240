#ifndef __TIMESPEC_H
#define __TIMESPEC_H
#ifndef _TIME_T
#define _TIME_T
typedef long time_t;
#endif
struct timespec {
    time_t tv_sec;
    long tv_nsec;
};
#endif
