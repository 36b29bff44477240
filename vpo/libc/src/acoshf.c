/* acoshf, acoshl */

#include <math.h>

float acoshf(float x)
{
    return (float)acosh(x);
}

long double acoshl(long double x)
{
    return acosh((double)x);
}
