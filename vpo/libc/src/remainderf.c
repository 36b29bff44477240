/* remainderf, remainderl */

#include <math.h>

float remainderf(float x, float y)
{
    return (float)remainder(x, y);
}

long double remainderl(long double x, long double y)
{
    return remainder((double)x, (double)y);
}
