/* fminf, fminl */

#include <math.h>

float fminf(float x, float y)
{
    return (float)fmin(x, y);
}

long double fminl(long double x, long double y)
{
    return fmin((double)x, (double)y);
}
