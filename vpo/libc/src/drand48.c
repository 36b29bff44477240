/* The family of drand48: a linear congruential generator of 48 bits. */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define FACTOR 0x5DEECE66DULL
#define ADDEND 11

static struct drand48_data own = {{0, 0, 0}, {0, 0, 0}, ADDEND, FACTOR};

static uint64_t step(unsigned short state[3], const struct drand48_data *how)
{
    uint64_t value = (uint64_t)state[2] << 32 | (uint32_t)state[1] << 16 | state[0];

    value = (value * how->__factor + how->__addend) & 0xFFFFFFFFFFFFULL;
    state[0] = value & 0xFFFF;
    state[1] = value >> 16 & 0xFFFF;
    state[2] = value >> 32;
    return value;
}

int erand48_r(unsigned short state[3], struct drand48_data *data, double *result)
{
    *result = (double)step(state, data) / 281474976710656.0;
    return 0;
}

int drand48_r(struct drand48_data *data, double *result)
{
    return erand48_r(data->__x, data, result);
}

int nrand48_r(unsigned short state[3], struct drand48_data *data, long *result)
{
    *result = (long)(step(state, data) >> 17);
    return 0;
}

int lrand48_r(struct drand48_data *data, long *result)
{
    return nrand48_r(data->__x, data, result);
}

int jrand48_r(unsigned short state[3], struct drand48_data *data, long *result)
{
    *result = (int32_t)(step(state, data) >> 16);
    return 0;
}

int mrand48_r(struct drand48_data *data, long *result)
{
    return jrand48_r(data->__x, data, result);
}

int seed48_r(unsigned short seed[3], struct drand48_data *data)
{
    memcpy(data->__old, data->__x, sizeof data->__x);
    memcpy(data->__x, seed, sizeof data->__x);
    data->__factor = FACTOR;
    data->__addend = ADDEND;
    return 0;
}

int srand48_r(long seed, struct drand48_data *data)
{
    unsigned short words[3] = {0x330E, seed & 0xFFFF, seed >> 16 & 0xFFFF};

    return seed48_r(words, data);
}

int lcong48_r(unsigned short all[7], struct drand48_data *data)
{
    seed48_r(all, data);
    data->__factor = (uint64_t)all[5] << 32 | (uint32_t)all[4] << 16 | all[3];
    data->__addend = all[6];
    return 0;
}

double erand48(unsigned short state[3])
{
    double result;

    erand48_r(state, &own, &result);
    return result;
}

double drand48(void)
{
    return erand48(own.__x);
}

long nrand48(unsigned short state[3])
{
    long result;

    nrand48_r(state, &own, &result);
    return result;
}

long lrand48(void)
{
    return nrand48(own.__x);
}

long jrand48(unsigned short state[3])
{
    long result;

    jrand48_r(state, &own, &result);
    return result;
}

long mrand48(void)
{
    return jrand48(own.__x);
}

void srand48(long seed)
{
    srand48_r(seed, &own);
}

unsigned short *seed48(unsigned short seed[3])
{
    seed48_r(seed, &own);
    return own.__old;
}

void lcong48(unsigned short all[7])
{
    lcong48_r(all, &own);
}
