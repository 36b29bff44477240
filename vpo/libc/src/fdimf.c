/* fdimf, fdiml */

#include <math.h>

float fdimf(float x, float y)
{
    return (float)fdim(x, y);
}

long double fdiml(long double x, long double y)
{
    return fdim((double)x, (double)y);
}
