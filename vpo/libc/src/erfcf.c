/* erfcf, erfcl */

#include <math.h>

float erfcf(float x)
{
    return (float)erfc(x);
}

long double erfcl(long double x)
{
    return erfc((double)x);
}
