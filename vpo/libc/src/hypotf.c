/* hypotf, hypotl */

#include <math.h>

float hypotf(float x, float y)
{
    return (float)hypot(x, y);
}

long double hypotl(long double x, long double y)
{
    return hypot((double)x, (double)y);
}
