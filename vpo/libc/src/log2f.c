/* log2f, log2l */

#include <math.h>

float log2f(float x)
{
    return (float)log2(x);
}

long double log2l(long double x)
{
    return log2((double)x);
}
