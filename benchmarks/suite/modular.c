/* Powers of long numbers modulo a long number, after Montgomery: carries, products of 32 bits in 64. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORDS 8

typedef uint32_t number[WORDS];

static number modulus, one, square;
static uint32_t inverse;

static int compare(const uint32_t *a, const uint32_t *b)
{
    for (int i = WORDS - 1; i >= 0; i--)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

static uint32_t subtract(uint32_t *a, const uint32_t *b)
{
    uint32_t borrow = 0;

    for (int i = 0; i < WORDS; i++) {
        uint64_t difference = (uint64_t)a[i] - b[i] - borrow;

        a[i] = (uint32_t)difference;
        borrow = (uint32_t)(difference >> 32) & 1;
    }
    return borrow;
}

static uint32_t doubled(uint32_t *a)
{
    uint32_t carry = 0;

    for (int i = 0; i < WORDS; i++) {
        uint32_t top = a[i] >> 31;

        a[i] = a[i] << 1 | carry;
        carry = top;
    }
    return carry;
}

/* result = a * b / 2^(32 * WORDS) modulo the modulus */
static void multiply(uint32_t *result, const uint32_t *a, const uint32_t *b)
{
    uint32_t t[WORDS + 2] = {0};

    for (int i = 0; i < WORDS; i++) {
        uint64_t sum = 0;
        uint32_t factor;

        for (int j = 0; j < WORDS; j++) {
            sum = (uint64_t)a[j] * b[i] + t[j] + (sum >> 32);
            t[j] = (uint32_t)sum;
        }
        sum = (uint64_t)t[WORDS] + (sum >> 32);
        t[WORDS] = (uint32_t)sum;
        t[WORDS + 1] = (uint32_t)(sum >> 32);
        factor = t[0] * inverse;
        sum = (uint64_t)factor * modulus[0] + t[0];
        for (int j = 1; j < WORDS; j++) {
            sum = (uint64_t)factor * modulus[j] + t[j] + (sum >> 32);
            t[j - 1] = (uint32_t)sum;
        }
        sum = (uint64_t)t[WORDS] + (sum >> 32);
        t[WORDS - 1] = (uint32_t)sum;
        t[WORDS] = t[WORDS + 1] + (uint32_t)(sum >> 32);
    }
    memcpy(result, t, sizeof(number));
    if (t[WORDS] || compare(result, modulus) >= 0)
        subtract(result, modulus);
}

static void prepare(uint32_t *seed)
{
    for (int i = 0; i < WORDS; i++)
        modulus[i] = *seed = *seed * 1664525u + 1013904223u;
    modulus[0] |= 1;
    modulus[WORDS - 1] |= 0x80000000u;
    inverse = 1;
    for (int i = 0; i < 5; i++)
        inverse *= 2 - modulus[0] * inverse;
    inverse = 0 - inverse;
    memset(one, 0, sizeof one);
    one[0] = 1;
    memcpy(square, one, sizeof square);
    for (int i = 0; i < 64 * WORDS; i++)
        if (doubled(square) || compare(square, modulus) >= 0)
            subtract(square, modulus);
}

static void power(uint32_t *result, const uint32_t *base, const uint32_t *exponent)
{
    number x;

    multiply(x, base, square);
    multiply(result, one, square);
    for (int bit = 32 * WORDS - 1; bit >= 0; bit--) {
        multiply(result, result, result);
        if (exponent[bit / 32] >> (bit % 32) & 1)
            multiply(result, result, x);
    }
    multiply(result, result, one);
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 3, wrong = 0;
    uint32_t seed = 5;

    for (int round = 0; round < rounds; round++) {
        number base = {2 + (uint32_t)round}, a = {0}, b = {0}, sum = {0}, left, right, both;

        prepare(&seed);
        for (int i = 0; i < WORDS - 1; i++) {
            a[i] = seed = seed * 1664525u + 1013904223u;
            b[i] = ~a[i];
            sum[i] = 0xffffffffu;
        }
        power(left, base, a); /* base^a * base^b = base^(a + b) */
        power(right, base, b);
        power(both, base, sum);
        multiply(left, left, square);
        multiply(left, left, right);
        wrong += compare(left, both) != 0;
        for (int i = WORDS - 1; i >= 0; i--)
            printf("%08lx", (unsigned long)both[i]);
        printf("\n");
    }
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
