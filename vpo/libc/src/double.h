/* A double as its bits. */

#include <stdint.h>

union double_bits {
    double value;
    uint64_t bits;
};

union float_bits {
    float value;
    uint32_t bits;
};

#define HIGH(bits) ((uint32_t)((bits) >> 32))
#define LOW(bits) ((uint32_t)(bits))
#define PAIR(high, low) ((uint64_t)(high) << 32 | (low))
#define BIAS 1023
#define FRACTION_BITS 52
