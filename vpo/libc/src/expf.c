/* expf, expl */

#include <math.h>

float expf(float x)
{
    return (float)exp(x);
}

long double expl(long double x)
{
    return exp((double)x);
}
