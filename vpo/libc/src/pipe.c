/* pipe, pipe2: a program may read what it writes; where it would wait for itself, read and write fail with EAGAIN.

   Flags are of no use: nothing ever waits, and nothing else is executed. */

#include <errno.h>
#include <stdint.h>
#include <unistd.h>
#include "libc.h"

int pipe2(int *ends, int flags)
{
#ifdef __SYS_pipe2
    int32_t made[2];

    (void)flags;
    if (__result(__ease_syscall(__SYS_pipe2, (long)made, 0L)) < 0)
        return -1;
    ends[0] = made[0];
    ends[1] = made[1];
    return 0;
#else
    (void)ends;
    (void)flags;
    errno = ENOSYS;
    return -1;
#endif
}

int pipe(int *ends)
{
    return pipe2(ends, 0);
}
