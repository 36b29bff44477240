/* exp2f, exp2l */

#include <math.h>

float exp2f(float x)
{
    return (float)exp2(x);
}

long double exp2l(long double x)
{
    return exp2((double)x);
}
