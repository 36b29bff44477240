/* Conversions between floating numbers and integers that machines seldom have: unsigned, and of 64 bits. */

#include "rt.h"

#define TWO_31 2147483648.0
#define TWO_32 4294967296.0
#define PER_TWO_32 (1.0 / 4294967296.0)

double __floatunsidf(uint32_t value)
{
    return (double)(int32_t)(value ^ 0x80000000) + TWO_31;
}

uint32_t __fixunsdfsi(double value)
{
    if (value < TWO_31)
        return (int32_t)value;
    return (uint32_t)(int32_t)(value - TWO_31) ^ 0x80000000;
}

float __floatunsisf(uint32_t value)
{
    return (float)__floatunsidf(value);
}

uint32_t __fixunssfsi(float value)
{
    return __fixunsdfsi(value);
}

/* The halves are exact; their sum is rounded once. */
double __floatdidf(int64_t value)
{
    return (double)(int32_t)HIGH(value) * TWO_32 + __floatunsidf(LOW(value));
}

double __floatundidf(uint64_t value)
{
    return __floatunsidf(HIGH(value)) * TWO_32 + __floatunsidf(LOW(value));
}

uint64_t __fixunsdfdi(double value)
{
    uint32_t high = __fixunsdfsi(value * PER_TWO_32);

    return PAIR(high, __fixunsdfsi(value - __floatunsidf(high) * TWO_32));
}

int64_t __fixdfdi(double value)
{
    return value < 0 ? -__fixunsdfdi(-value) : __fixunsdfdi(value);
}

int64_t __fixsfdi(float value)
{
    return __fixdfdi(value);
}

uint64_t __fixunssfdi(float value)
{
    return __fixunsdfdi(value);
}

/* A number of more than 53 bits keeps the highest of them, and one that says whether any other is set: then it is
   exact as a double, and rounded once. */
static uint32_t shorten(uint32_t low)
{
    return low & 0x7ff ? (low & ~(uint32_t)0x7ff) | 0x800 : low;
}

float __floatundisf(uint64_t value)
{
    if (HIGH(value) >> 21)
        value = PAIR(HIGH(value), shorten(LOW(value)));
    return (float)__floatundidf(value);
}

float __floatdisf(int64_t value)
{
    return value < 0 ? -__floatundisf(-(uint64_t)value) : __floatundisf(value);
}
