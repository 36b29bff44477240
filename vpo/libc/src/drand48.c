/* The family of drand48: a linear congruential generator of 48 bits. */

#include <stdint.h>
#include <stdlib.h>

static unsigned short own[3] = {0x330E, 0, 0};

static uint64_t factor = 0x5DEECE66DULL;
static unsigned addend = 11;

static uint64_t step(unsigned short state[3])
{
    uint64_t value = (uint64_t)state[2] << 32 | (uint32_t)state[1] << 16 | state[0];

    value = (value * factor + addend) & 0xFFFFFFFFFFFFULL;
    state[0] = value & 0xFFFF;
    state[1] = value >> 16 & 0xFFFF;
    state[2] = value >> 32;
    return value;
}

double erand48(unsigned short state[3])
{
    return (double)step(state) / 281474976710656.0;
}

double drand48(void)
{
    return erand48(own);
}

long nrand48(unsigned short state[3])
{
    return (long)(step(state) >> 17);
}

long lrand48(void)
{
    return nrand48(own);
}

long jrand48(unsigned short state[3])
{
    return (int32_t)(step(state) >> 16);
}

long mrand48(void)
{
    return jrand48(own);
}

void srand48(long seed)
{
    own[0] = 0x330E;
    own[1] = seed & 0xFFFF;
    own[2] = seed >> 16 & 0xFFFF;
    factor = 0x5DEECE66DULL;
    addend = 11;
}

unsigned short *seed48(unsigned short seed[3])
{
    static unsigned short old[3];
    int i;

    for (i = 0; i < 3; i++) {
        old[i] = own[i];
        own[i] = seed[i];
    }
    factor = 0x5DEECE66DULL;
    addend = 11;
    return old;
}

void lcong48(unsigned short all[7])
{
    seed48(all);
    factor = (uint64_t)all[5] << 32 | (uint32_t)all[4] << 16 | all[3];
    addend = all[6];
}
