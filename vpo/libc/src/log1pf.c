/* log1pf, log1pl */

#include <math.h>

float log1pf(float x)
{
    return (float)log1p(x);
}

long double log1pl(long double x)
{
    return log1p((double)x);
}
