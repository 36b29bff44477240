/* fmaxf, fmaxl */

#include <math.h>

float fmaxf(float x, float y)
{
    return (float)fmax(x, y);
}

long double fmaxl(long double x, long double y)
{
    return fmax((double)x, (double)y);
}
