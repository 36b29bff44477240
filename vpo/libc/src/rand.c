/* rand, srand: the generator that the C standard shows as its example. */

#include <stdint.h>
#include <stdlib.h>

static uint32_t state = 1;

int rand(void)
{
    state = state * 1103515245 + 12345;
    return (state >> 16) & RAND_MAX;
}

void srand(unsigned seed)
{
    state = seed;
}
