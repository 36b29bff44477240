/* atan, atan2, asin, acos: atan(x) = atan(c) + atan((x - c) / (1 + c * x)) with the nearest eighth c. */

#include <errno.h>
#include <math.h>
#include "exact.h"

#define PI 3.141592653589793
#define PI_TAIL 1.2246467991473532e-16

/* atan(i/8), and what the double lacks. */
static const struct {
    double value, tail;
} rows[] = {
    {0.0, 0.0},
    {0.12435499454676144, -3.1253241424539383e-18},
    {0.24497866312686414, 1.0698755618734451e-17},
    {0.35877067027057225, -2.4623815582638635e-17},
    {0.4636476090008061, 2.2698777452961687e-17},
    {0.5585993153435624, -5.4556305485916264e-18},
    {0.6435011087932844, 1.5834785051444286e-17},
    {0.7188299996216245, -2.1478388444456983e-17},
    {0.7853981633974483, 3.061616997868383e-17},
};

/* The angle of a number from 0 to 1, plus a tail, as a sum of two doubles. */
static double atan_parts(double x, double tail, double *low)
{
    int row = (int)(x * 8 + 0.5);
    double c = row * 0.125;
    double t = x, z, p, sum, error;

    if (row) {
        double product = c * x;

        TWO_SUM(sum, error, 1, product);
        error += product_error(c, x, product);
        t = (x - c) / sum;
        tail = quotient_error(x - c, tail * (1 - c * t), sum, error, t);
    }
    z = t * t;
    p = 1.0 / 9 - z * (1.0 / 11 - z * (1.0 / 13 - z * (1.0 / 15)));
    p = z * (1.0 / 3 - z * (1.0 / 5 - z * (1.0 / 7 - z * p)));
    TWO_SUM(sum, error, rows[row].value, t);
    *low = error + (rows[row].tail + (tail - t * p));
    return sum;
}

/* The angle of a point whose coordinates are not below 0, plus tails. */
static double angle_parts(double y, double y_low, double x, double x_low, double *low)
{
    double small = y < x ? y : x, large = y < x ? x : y;
    double ratio = large == 0 ? 0 : small == large ? 1 : small / large;
    double tail = 0, sum, error;

    if (ratio > 1e-20 && small < HUGE_VAL) { /* else it is the angle, or one right angle */
        double scale = large > 1e150 ? 0x1p-600 : small < 1e-150 ? 0x1p600 : 1;
        double small_low = y < x ? y_low : x_low, large_low = y < x ? x_low : y_low;

        tail = quotient_error(small * scale, small_low * scale, large * scale, large_low * scale, ratio);
    }
    sum = atan_parts(ratio, tail, low);
    if (y > x) {
        TWO_SUM(sum, error, PI / 2, -sum);
        *low = error + (PI_TAIL / 2 - *low);
    }
    return sum;
}

double atan(double x)
{
    double low, angle;

    if (x != x)
        return x;
    angle = angle_parts(fabs(x), 0, 1, 0, &low);
    return copysign(angle + low, x);
}

/* The angle of a point, given that of its mirror image to the right. */
static double turned(double angle, double low, int left)
{
    double error;

    if (!left)
        return angle + low;
    TWO_SUM(angle, error, PI, -angle);
    return angle + (error + (PI_TAIL - low));
}

double atan2(double y, double x)
{
    double low, angle;

    if (x != x || y != y)
        return NAN;
    angle = angle_parts(fabs(y), 0, fabs(x), 0, &low);
    return copysign(turned(angle, low, __signbit(x)), y);
}

/* The square root of 1 - x * x, as a sum of two doubles. */
static double other_leg(double x, double *low)
{
    double less, less_low, more, more_low, product, root;

    TWO_SUM(less, less_low, 1, -x);
    TWO_SUM(more, more_low, 1, x);
    product = less * more;
    root = sqrt(product);
    *low = root_error(product, product_error(less, more, product) + less * more_low + more * less_low, root);
    return root;
}

double asin(double x)
{
    double low, leg, leg_low, angle;

    if (!(x <= 1 && x >= -1)) {
        if (x == x)
            errno = EDOM;
        return NAN;
    }
    leg = other_leg(x, &leg_low);
    angle = angle_parts(fabs(x), 0, leg, leg_low, &low);
    return copysign(angle + low, x);
}

double acos(double x)
{
    double low, leg, leg_low, angle;

    if (!(x <= 1 && x >= -1)) {
        if (x == x)
            errno = EDOM;
        return NAN;
    }
    leg = other_leg(x, &leg_low);
    angle = angle_parts(leg, leg_low, fabs(x), 0, &low);
    return turned(angle, low, x < 0);
}
