/* ceilf, ceill */

#include <math.h>

float ceilf(float x)
{
    return (float)ceil(x);
}

long double ceill(long double x)
{
    return ceil((double)x);
}
