/* logf, logl */

#include <math.h>

float logf(float x)
{
    return (float)log(x);
}

long double logl(long double x)
{
    return log((double)x);
}
