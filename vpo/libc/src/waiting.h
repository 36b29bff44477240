/* How what waits lets a program's timers end. */

#include <time.h>

/* Set with the first timer: lets time pass up to its end, or at most `*limit` (NULL: any time), which becomes what is
   left of it.  Returns 0 if no timer ends, 1 if a handler was called, 2 if one ended without that. */
extern int (*__pass_time)(struct timespec *limit);

/* Lets time pass until a handler is called; returns whether one was. */
int __wait(struct timespec *limit);
