/* log10f, log10l */

#include <math.h>

float log10f(float x)
{
    return (float)log10(x);
}

long double log10l(long double x)
{
    return log10((double)x);
}
