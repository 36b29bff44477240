/* lround, llround, lrint and llrint for float and long double. */

#include <math.h>

long lroundf(float x)
{
    return lround(x);
}

long lroundl(long double x)
{
    return lround((double)x);
}

long long llroundf(float x)
{
    return llround(x);
}

long long llroundl(long double x)
{
    return llround((double)x);
}

long lrintf(float x)
{
    return lrint(x);
}

long lrintl(long double x)
{
    return lrint((double)x);
}

long long llrintf(float x)
{
    return llrint(x);
}

long long llrintl(long double x)
{
    return llrint((double)x);
}
