/* cbrtf, cbrtl */

#include <math.h>

float cbrtf(float x)
{
    return (float)cbrt(x);
}

long double cbrtl(long double x)
{
    return cbrt((double)x);
}
