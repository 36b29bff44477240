/* The same numbers everywhere. */
#include <stdint.h>

static uint32_t seed = 12345;

static uint32_t next(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 17;
    seed ^= seed << 5;
    return seed;
}

static uint64_t next64(void)
{
    uint64_t high = next();

    return high << 32 | next();
}

static double next_double(void)
{
    union {
        uint64_t bits;
        double value;
    } number;

    do
        number.bits = next64();
    while ((number.bits >> 52 & 0x7ff) == 0x7ff);
    return number.value;
}
