/* acosf, acosl */

#include <math.h>

float acosf(float x)
{
    return (float)acos(x);
}

long double acosl(long double x)
{
    return acos((double)x);
}
