/* getrandom, getentropy, arc4random and its kin: the same numbers in each run, so that runs compare.  No secrets. */

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>

/* The state of Marsaglia's xorshift generator of 32 bits (2003). */
static uint32_t state = 2463534242u;

unsigned arc4random(void)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

void arc4random_buf(void *to, size_t size)
{
    unsigned char *byte = to;

    while (size--)
        *byte++ = (unsigned char)(arc4random() >> 24);
}

unsigned arc4random_uniform(unsigned bound)
{
    unsigned number;

    if (bound < 2)
        return 0;
    do
        number = arc4random();
    while (number < -bound % bound); /* what is left has a multiple of `bound` numbers */
    return number % bound;
}

ssize_t getrandom(void *to, size_t size, unsigned flags)
{
    (void)flags;
    arc4random_buf(to, size);
    return (ssize_t)size;
}

int getentropy(void *to, size_t size)
{
    if (size > 256) {
        errno = EIO;
        return -1;
    }
    arc4random_buf(to, size);
    return 0;
}
