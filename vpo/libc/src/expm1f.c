/* expm1f, expm1l */

#include <math.h>

float expm1f(float x)
{
    return (float)expm1(x);
}

long double expm1l(long double x)
{
    return expm1((double)x);
}
