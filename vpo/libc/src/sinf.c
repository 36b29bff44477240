/* sinf, sinl */

#include <math.h>

float sinf(float x)
{
    return (float)sin(x);
}

long double sinl(long double x)
{
    return sin((double)x);
}
