/* atan, atan2, asin, acos: atan(x) = atan(c) + atan((x - c) / (1 + c * x)) with the nearest eighth c. */

#include <errno.h>
#include <math.h>

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

/* For x from 0 to 1, plus a tail. */
static double atan_part(double x, double tail)
{
    int row = (int)(x * 8 + 0.5);
    double c = row * 0.125;
    double t = row ? (x - c + tail) / (1 + c * x) : x;
    double z = t * t;
    double p = 1.0 / 9 - z * (1.0 / 11 - z * (1.0 / 13 - z * (1.0 / 15)));

    p = z * (1.0 / 3 - z * (1.0 / 5 - z * (1.0 / 7 - z * p)));
    if (row == 0)
        return t + (tail - t * p);
    return rows[row].value + (rows[row].tail + (t - t * p));
}

double atan(double x)
{
    double size = fabs(x);

    if (size <= 1)
        size = atan_part(size, 0);
    else if (size == size)
        size = PI / 2 + (PI_TAIL / 2 - atan_part(1 / size, 0));
    return copysign(size, x);
}

double atan2(double y, double x)
{
    double a = fabs(x);
    double b = fabs(y);
    double angle;

    if (x != x || y != y)
        return NAN;
    if (a == b)
        angle = a == 0 ? 0 : PI / 4;
    else if (b < a)
        angle = atan_part(b / a, 0);
    else
        angle = PI / 2 + (PI_TAIL / 2 - atan_part(a / b, 0));
    if (__signbit(x))
        angle = PI - (angle - PI_TAIL);
    return copysign(angle, y);
}

double asin(double x)
{
    if (x > 1 || x < -1) {
        errno = EDOM;
        return NAN;
    }
    return atan2(x, sqrt((1 - x) * (1 + x)));
}

double acos(double x)
{
    if (x > 1 || x < -1) {
        errno = EDOM;
        return NAN;
    }
    return 2 * atan2(sqrt(1 - x), sqrt(1 + x));
}
