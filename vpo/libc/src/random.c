/* random, srandom: the additive generator r[i] = r[i - 3] + r[i - 31] of BSD.  rand_r */

#include <stdint.h>
#include <stdlib.h>

#define DEGREE 31
#define SEPARATION 3

static uint32_t state[DEGREE];
static uint32_t *front, *rear = state; /* SEPARATION words apart, round and round */

static uint32_t step(void)
{
    uint32_t value = *front += *rear;

    if (++front == state + DEGREE)
        front = state;
    if (++rear == state + DEGREE)
        rear = state;
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
    front = state + SEPARATION;
    rear = state;
    for (i = 0; i < 10 * DEGREE; i++)
        step();
}

long random(void)
{
    if (front == NULL)
        srandom(1);
    return (long)step();
}

/* Bits of three numbers of the generator that the C standard shows, as in glibc. */
int rand_r(unsigned *seed)
{
    uint32_t next = (uint32_t)*seed, result = 0;
    int i;

    for (i = 0; i < 3; i++) {
        next = next * 1103515245 + 12345;
        result = result << 10 ^ (next >> 16 & (i == 0 ? 2047 : 1023));
    }
    *seed = (unsigned)next;
    return (int)(result & RAND_MAX);
}
