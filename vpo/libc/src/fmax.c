/* fmax, fmin, fdim */

#include <math.h>

double fmax(double x, double y)
{
    return x > y || y != y ? x : y;
}

double fmin(double x, double y)
{
    return x < y || y != y ? x : y;
}

double fdim(double x, double y)
{
    return x != x || y != y ? NAN : x > y ? x - y : 0;
}
