/* floorf, floorl */

#include <math.h>

float floorf(float x)
{
    return (float)floor(x);
}

long double floorl(long double x)
{
    return floor((double)x);
}
