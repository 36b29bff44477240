/*
 * pi - digits of pi by Machin's formula, 16 arctan(1/5) - 4 arctan(1/239), in numbers of many digits.
 *
 * usage: pi [DIGITS]
 *
 * A number is an array of digits to the base 10,000: one before the point, the most significant first.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define BASE 10000
#define GUARD 2 /* more digits than are printed */

static int length;

static uint32_t *number(uint32_t whole)
{
    uint32_t *digits = calloc((size_t)length, sizeof *digits);

    if (digits == NULL)
        exit(1);
    digits[0] = whole;
    return digits;
}

/* Divides, from digit `start` on, before which all are zero; returns the first digit that is not zero. */
static int divide(const uint32_t *dividend, uint32_t divisor, uint32_t *quotient, int start)
{
    uint32_t rest = 0;

    for (int i = start; i < length; i++) {
        rest = rest * BASE + dividend[i];
        quotient[i] = rest / divisor;
        rest %= divisor;
    }
    while (start < length && quotient[start] == 0)
        start++;
    return start;
}

static void add(uint32_t *sum, const uint32_t *term, int start)
{
    uint32_t carry = 0;

    for (int i = length; i-- > start || (carry != 0 && i >= 0);) {
        uint32_t digit = sum[i] + carry + (i >= start ? term[i] : 0);

        carry = digit >= BASE;
        sum[i] = carry ? digit - BASE : digit;
    }
}

static void subtract(uint32_t *sum, const uint32_t *term, int start)
{
    uint32_t borrow = 0;

    for (int i = length; i-- > start || (borrow != 0 && i >= 0);) {
        uint32_t taken = borrow + (i >= start ? term[i] : 0);

        borrow = sum[i] < taken;
        sum[i] += (borrow ? BASE : 0) - taken;
    }
}

/* Adds factor * arctan(1/inverse) to the sum, or subtracts it. */
static void add_arctangent(uint32_t *sum, uint32_t factor, uint32_t inverse, int positive)
{
    uint32_t *power = number(factor), *term = number(0), odd = 1;
    int start = divide(power, inverse, power, 0);

    while (start < length) {
        int first = divide(power, odd, term, start);

        if (positive)
            add(sum, term, first);
        else
            subtract(sum, term, first);
        start = divide(power, inverse, power, start);
        start = divide(power, inverse, power, start);
        positive = !positive;
        odd += 2;
    }
    free(power);
    free(term);
}

int main(int argc, char **argv)
{
    int digits = argc > 1 ? atoi(argv[1]) : 100, printed = (digits + 3) / 4;
    uint32_t *pi, sum = 0;

    if (digits < 8)
        return 1;
    length = 1 + printed + GUARD;
    pi = number(0);
    add_arctangent(pi, 16, 5, 1);
    add_arctangent(pi, 4, 239, 0);
    for (int i = 0; i <= printed; i++)
        sum = sum * 31 + pi[i];
    printf("pi %d: %lu.%04lu%04lu...%04lu, %08lx\n", digits, (unsigned long)pi[0], (unsigned long)pi[1],
           (unsigned long)pi[2], (unsigned long)pi[printed], (unsigned long)sum);
    return 0;
}
