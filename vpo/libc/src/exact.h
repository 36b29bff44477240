/* Sums and products of doubles whose rounding error is kept. */

#include "double.h"

/* sum + error = a + b */
#define TWO_SUM(sum, error, a, b) \
    do { \
        double a_ = (a); \
        double b_ = (b); \
        double part_; \
        (sum) = a_ + b_; \
        part_ = (sum) - a_; \
        (error) = (a_ - ((sum) - part_)) + (b_ - part_); \
    } while (0)

/* A number rounded to 26 bits: products of such are exact, and so are products of what remains. */
static double first_half(double value)
{
    union double_bits number;

    number.value = value;
    number.bits += 0x4000000;
    number.bits = PAIR(HIGH(number.bits), LOW(number.bits) & 0xf8000000);
    return number.value;
}

/* The rounding error of the product of a and b. */
static double product_error(double a, double b, double product)
{
    double a_high = first_half(a);
    double b_high = first_half(b);
    double a_low = a - a_high;
    double b_low = b - b_high;

    return a_high * b_high - product + a_high * b_low + a_low * b_high + a_low * b_low;
}

/* What a square root of a + a_low lacks, given the root of a. */
static double root_error(double a, double a_low, double root)
{
    double square = root * root;

    return root == 0 ? 0 : (a - square - product_error(root, root, square) + a_low) / (2 * root);
}

/* What the quotient of a + a_low and b + b_low lacks, given that of a and b. */
static double quotient_error(double a, double a_low, double b, double b_low, double quotient)
{
    double product = quotient * b;

    return (a - product - product_error(quotient, b, product) + a_low - quotient * b_low) / b;
}
