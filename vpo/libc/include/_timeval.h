#ifndef _TIMEVAL_H
#define _TIMEVAL_H
#ifndef _TIME_T
#define _TIME_T
typedef long time_t;
#endif
struct timeval {
    time_t tv_sec;
    long tv_usec;
};
#endif
