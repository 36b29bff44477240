/* The logarithm of the gamma function by Stirling's series, and what gamma(x) * gamma(-x) is. */

#include <math.h>
#include "exact.h"
#include "gamma.h"
#include "log.h"
#include "trig.h"

#define HALF_LOG_2PI 0.9189385332046728
#define HALF_LOG_2PI_TAIL (-3.8782941580672414e-17)
#define PI 3.141592653589793
#define PI_TAIL 1.2246467991473532e-16
#define HUGE 1e17          /* only x * (log(x) - 1) counts above */
#define SCALE 0x1p-100     /* keeps products of huge numbers finite */

static const double series[] = {
    0.08333333333333333, -0.002777777777777778, 0.0007936507936507937, -0.0005952380952380953, 0.0008417508417508417,
    -0.0019175269175269176, 0.00641025641025641, -0.029550653594771242
};

static double for_huge(double x, double *low)
{
    double high, error, tail, product;

    high = __log_parts(x, &tail);
    TWO_SUM(high, error, high, -1.0);
    product = high * x;
    if (product <= 1.7976931348623157e308)
        *low = product_error(high, x * SCALE, product * SCALE) / SCALE + (error + tail) * x;
    else
        *low = 0;
    return product;
}

double __stirling(double x, double *low)
{
    double high, tail, error, sum, factor, z, p = 0;
    int i;

    if (x > HUGE)
        return for_huge(x, low);
    z = 1 / x;
    for (i = 8; i-- > 0; )
        p = series[i] + z * z * p;
    high = __log_parts(x, &tail);
    factor = x - 0.5; /* rounded from 2^52 on */
    sum = high * factor;
    *low = product_error(high, factor, sum) + tail * factor + high * (x - factor - 0.5) + HALF_LOG_2PI_TAIL + z * p;
    TWO_SUM(high, error, sum, -x);
    *low += error;
    TWO_SUM(high, error, high, HALF_LOG_2PI);
    *low += error;
    return high;
}

double __reflection(double x, double *low)
{
    double distance = fabs(x - rint(x)); /* exact */
    double angle = distance > 0.25 ? 0.5 - distance : distance;
    double head = angle * PI;
    double tail = product_error(angle, PI, head) + angle * PI_TAIL;
    double sine, sine_low, product, quotient;

    sine = distance > 0.25 ? __cos_parts(head, tail, &sine_low) : __sin_parts(head, tail, &sine_low);
    TWO_SUM(sine, sine_low, sine, sine_low);
    TWO_SUM(sine, sine_low, sine, sine_low);
    TWO_SUM(sine, sine_low, sine, sine_low);
    product = sine * x;
    sine_low = product_error(sine, x, product) + sine_low * x;
    quotient = PI / product;
    *low = quotient_error(PI, PI_TAIL, product, sine_low, quotient);
    return quotient;
}
