#ifndef _CLOCK_T
#define _CLOCK_T
typedef long clock_t;
typedef int clockid_t;
#endif
