/* tanhf, tanhl */

#include <math.h>

float tanhf(float x)
{
    return (float)tanh(x);
}

long double tanhl(long double x)
{
    return tanh((double)x);
}
