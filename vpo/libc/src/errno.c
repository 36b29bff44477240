/* errno, and how system calls set it. */

#include <errno.h>
#include "libc.h"

int errno;

long __result(long answer)
{
    if (answer < 0 && answer > -4096) {
        errno = -answer;
        return -1;
    }
    return answer;
}
