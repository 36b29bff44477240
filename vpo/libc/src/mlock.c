/* Locks on memory, which change nothing. */

#include <sys/mman.h>

int mlock(const void *place, size_t size)
{
    (void)place;
    (void)size;
    return 0;
}

int munlock(const void *place, size_t size)
{
    return mlock(place, size);
}

int mlockall(int which)
{
    (void)which;
    return 0;
}

int munlockall(void)
{
    return 0;
}
