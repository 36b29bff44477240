/* atanf, atanl */

#include <math.h>

float atanf(float x)
{
    return (float)atan(x);
}

long double atanl(long double x)
{
    return atan((double)x);
}
