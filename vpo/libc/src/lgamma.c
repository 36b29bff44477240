/* lgamma, lgamma_r */

#include <errno.h>
#include <math.h>
#include "exact.h"
#include "gamma.h"
#include "log.h"

#define NEAR 0.0625 /* the series are for numbers as close as this to 1 and 2 */
#define TERMS 12

int signgam;

/* Taylor series of lgamma(1 + z) / z and lgamma(2 + z) / z: two coefficients with what they lack, and the rest. */
static const struct {
    double first, first_tail, second, second_tail, rest[TERMS];
} series[] = {
    {-0.5772156649015329, 4.942915152430645e-18, 0.8224670334241132, 1.520336175199238e-17, {-0.40068563438653143,
     0.27058080842778454, -0.20738555102867398, 0.1695571769974082, -0.1440498967688461, 0.12550966952474304,
     -0.11133426586956469, 0.1000994575127818, -0.09095401714582904, 0.083353840546109, -0.0769325164113522,
     0.07143294629536133}},
    {0.42278433509846713, 4.942915152430645e-18, 0.3224670334241132, 1.520336175199238e-17, {-0.0673523010531981,
     0.020580808427784546, -0.007385551028673986, 0.0028905103307415234, -0.001192753911703261,
     0.0005096695247430425, -0.00022315475845357939, 9.945751278180853e-05, -4.492623673813314e-05,
     2.050721277567069e-05, -9.439488275268397e-06, 4.374866789907488e-06}},
};

/* lgamma(zero + z), where the zero is 1 or 2 */
static double near_zero(int zero, double z)
{
    double product = z * series[zero - 1].second;
    double sum, error, p = 0;
    int i;

    for (i = TERMS; i-- > 0; )
        p = series[zero - 1].rest[i] + z * p;
    TWO_SUM(sum, error, series[zero - 1].first, product);
    error += series[zero - 1].first_tail + z * series[zero - 1].second_tail + z * z * p;
    error += product_error(z, series[zero - 1].second, product);
    product = sum * z;
    return product + (product_error(sum, z, product) + error * z);
}

/* log(x + tail) as a sum of two doubles */
static double log_of_sum(double x, double tail, double *low)
{
    double error, high = __log_parts(x, low);

    *low += tail / x;
    TWO_SUM(high, error, high, *low);
    *low = error;
    return high;
}

double lgamma_r(double x, int *sign)
{
    double size = fabs(x);
    double high, low, stirling, stirling_low, error;

    *sign = 1;
    if (x != x || size == HUGE_VAL)
        return x * x;
    *sign = x < 0 || (x == 0 && signbit(x)) ? -1 : 1;
    if (x <= 0 && floor(x) == x) {
        if (x < 0)
            *sign = 1;
        errno = ERANGE;
        return HUGE_VAL;
    }
    if (size < GAMMA_TINY)
        return -log(size);
    if (x < 0)
        *sign = fmod(floor(x), 2) == 0 ? 1 : -1;
    if (fabs(x - 1) <= NEAR)
        return near_zero(1, x - 1);
    if (fabs(x - 2) <= NEAR)
        return near_zero(2, x - 2);
    if (size < GAMMA_PRODUCT) {
        high = __gamma_parts(x, &low);
        if (high < 0) {
            high = -high;
            low = -low;
        }
        high = log_of_sum(high, low, &low);
        return high + low;
    }
    stirling = __stirling(size, &stirling_low);
    if (x > 0) {
        if (stirling == HUGE_VAL)
            errno = ERANGE;
        return stirling + stirling_low;
    }
    high = __reflection(size, &low);
    high = log_of_sum(high, low, &low);
    TWO_SUM(high, error, high, -stirling);
    return high + (error + low - stirling_low);
}

double lgamma(double x)
{
    return lgamma_r(x, &signgam);
}
