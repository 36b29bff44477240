/* brk, sbrk: a program may get memory from the system itself; malloc goes on behind it. */

#include <errno.h>
#include <stddef.h>
#include <unistd.h>
#include "libc.h"

int brk(void *end)
{
#ifdef __SYS_brk
    if ((char *)__ease_syscall(__SYS_brk, (long)end) == (char *)end) {
        __foreign_break = end;
        return 0;
    }
#else
    (void)end;
#endif
    errno = ENOMEM;
    return -1;
}

void *sbrk(ptrdiff_t step)
{
#ifdef __SYS_brk
    char *old = (char *)__ease_syscall(__SYS_brk, 0L);

    if (step == 0 || brk(old + step) == 0)
        return old;
#else
    (void)step;
    errno = ENOMEM;
#endif
    return (void *)-1;
}
