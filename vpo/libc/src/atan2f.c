/* atan2f, atan2l */

#include <math.h>

float atan2f(float x, float y)
{
    return (float)atan2(x, y);
}

long double atan2l(long double x, long double y)
{
    return atan2((double)x, (double)y);
}
