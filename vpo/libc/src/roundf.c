/* roundf, roundl */

#include <math.h>

float roundf(float x)
{
    return (float)round(x);
}

long double roundl(long double x)
{
    return round((double)x);
}
