/* atanhf, atanhl */

#include <math.h>

float atanhf(float x)
{
    return (float)atanh(x);
}

long double atanhl(long double x)
{
    return atanh((double)x);
}
