#ifndef _SIGSET_T
#define _SIGSET_T
typedef unsigned long long sigset_t;
#endif
