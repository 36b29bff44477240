/* The reduction of angles: for moderate ones pi/2 in pieces, for huge ones the bits of 2/pi that matter. */

#include "exact.h"
#include "trig.h"

#define TWO_OVER_PI 0.6366197723675814
#define PI_2 1.5707963267948966
#define PI_2_TAIL 6.123233995736766e-17
#define MODERATE 1647099.0 /* about 2^20 * pi/2 */
#define LIMBS 6
#define PER_LIMB (1.0 / 4294967296.0)

/* pi/2: three pieces of 33 bits, whose products with 20 bits are exact, and the rest. */
static const double pieces[] = {1.5707963267341256, 6.077100506303966e-11, 2.0222662487111665e-21, 8.4784276603689e-32};

/* 2/pi, 32 bits each. */
static const uint32_t two_over_pi[] = {
    0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561,
    0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484,
    0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f,
    0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b,
    0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046, 0xfc7b6bab, 0xf0cfbc20, 0x9af4361d,
};

static int reduce_moderate(double x, double *rest)
{
    int32_t count = (int32_t)(x * TWO_OVER_PI + (x < 0 ? -0.5 : 0.5));
    double head = x - count * pieces[0];
    double low = 0;
    double sum, error;
    int i;

    for (i = 1; i < 4; i++) {
        TWO_SUM(sum, error, head, -(count * pieces[i]));
        head = sum;
        low += error;
    }
    rest[0] = head + low;
    rest[1] = head - rest[0] + low;
    return (int)count & 3;
}

/* The fraction of 192 bits, or 1 less it, as a sum of two doubles. */
static void to_doubles(const uint32_t *limbs, double *rest)
{
    uint32_t flip = limbs[LIMBS - 1] & 0x80000000 ? ~(uint32_t)0 : 0;
    double unit = flip ? -PER_LIMB : PER_LIMB;
    double sum, error;
    int i = LIMBS - 1;
    int last;

    for (; i > 3 && limbs[i] == flip; i--)
        unit *= PER_LIMB;
    rest[0] = rest[1] = 0;
    for (last = i - 3; i >= last; i--) {
        TWO_SUM(sum, error, rest[0], (limbs[i] ^ flip) * unit);
        rest[0] = sum;
        rest[1] += error;
        unit *= PER_LIMB;
    }
}

/* A limb of 2/pi, before which there are zeros. */
static uint32_t limb_at(int index)
{
    return index < 0 ? 0 : two_over_pi[index];
}

/* A positive x is m * 2^e.  Multiples of 4 in x * 2/pi do not matter, so that bits of 2/pi before e - 2 do not. */
static int reduce_huge(double x, double *rest)
{
    union double_bits number;
    uint32_t window[LIMBS], product[LIMBS], factors[2];
    uint32_t quadrant;
    double high, low, error;
    int i, j, skipped, shift;

    number.value = x;
    factors[0] = LOW(number.bits);
    factors[1] = (HIGH(number.bits) & 0xfffff) | 0x100000;
    skipped = (int)(HIGH(number.bits) >> 20) - (BIAS + FRACTION_BITS) - 2 + 64; /* with 64 zeros before 2/pi */
    shift = skipped & 31;
    skipped = (skipped >> 5) - 2 + LIMBS;
    for (i = 0; i < LIMBS; i++) { /* least significant first */
        window[i] = limb_at(skipped - i - 1) << shift;
        if (shift)
            window[i] |= limb_at(skipped - i) >> (32 - shift);
        product[i] = 0;
    }
    for (j = 0; j < 2; j++) {
        uint32_t carry = 0;

        for (i = 0; i + j < LIMBS; i++) {
            uint64_t sum = (uint64_t)window[i] * factors[j] + product[i + j] + carry;

            product[i + j] = LOW(sum);
            carry = HIGH(sum);
        }
    }
    /* The point is behind the first two bits. */
    quadrant = product[LIMBS - 1] >> 30;
    for (i = LIMBS - 1; i; i--)
        product[i] = product[i] << 2 | product[i - 1] >> 30;
    quadrant += product[LIMBS - 1] >> 31; /* more than half: the next quadrant, and back */
    to_doubles(product, rest);
    high = rest[0] * PI_2;
    error = product_error(rest[0], PI_2, high);
    low = error + rest[0] * PI_2_TAIL + rest[1] * PI_2;
    rest[0] = high + low;
    rest[1] = high - rest[0] + low;
    return (int)quadrant & 3;
}

int __reduce(double x, double *rest)
{
    int quadrant;

    if (x < MODERATE && x > -MODERATE)
        return reduce_moderate(x, rest);
    if (x > 0)
        return reduce_huge(x, rest);
    quadrant = reduce_huge(-x, rest);
    rest[0] = -rest[0];
    rest[1] = -rest[1];
    return -quadrant & 3;
}
