#ifndef _TIME_T
#define _TIME_T
#ifdef __ease_wide_time
__extension__ typedef long long time_t;
#else
typedef long time_t;
#endif
#endif
