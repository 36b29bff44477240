/* cosf, cosl */

#include <math.h>

float cosf(float x)
{
    return (float)cos(x);
}

long double cosl(long double x)
{
    return cos((double)x);
}
