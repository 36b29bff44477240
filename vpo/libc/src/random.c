/* random, srandom: the additive generator r[i] = r[i - 3] + r[i - 31] of BSD.  rand_r */

#include <stdint.h>
#include <stdlib.h>

#define DEGREE 31
#define SEPARATION 3

static uint32_t state[DEGREE];
static int at = -1;

static uint32_t step(void)
{
    uint32_t value = state[at] += state[(at + DEGREE - SEPARATION) % DEGREE];

    at = (at + 1) % DEGREE;
    return value >> 1;
}

void srandom(unsigned seed)
{
    int32_t word = seed ? (int32_t)seed : 1;
    int i;

    for (i = 0; i < DEGREE; i++) {
        state[i] = (uint32_t)word;
        word = (int32_t)(16807L * (word % 127773) - 2836L * (word / 127773));
        if (word < 0)
            word += 2147483647;
    }
    at = SEPARATION;
    for (i = 0; i < 10 * DEGREE; i++)
        step();
}

long random(void)
{
    if (at < 0)
        srandom(1);
    return (long)step();
}

int rand_r(unsigned *seed)
{
    uint32_t next = (uint32_t)*seed * 1103515245 + 12345;

    *seed = (unsigned)next;
    return next >> 16 & RAND_MAX;
}
