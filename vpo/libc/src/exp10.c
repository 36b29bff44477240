/* exp10, exp10f, exp10l */

#include <math.h>

double exp10(double x)
{
    return pow(10, x);
}

float exp10f(float x)
{
    return (float)pow(10, (double)x);
}

long double exp10l(long double x)
{
    return pow(10, (double)x);
}
