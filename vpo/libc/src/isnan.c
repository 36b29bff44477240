/* isnan, isinf and signbit as functions, for programs that declare them without <math.h>. */

#include <math.h>
#undef isnan
#undef isinf
#undef signbit

int isnan(double value)
{
    return __isnan(value);
}

int isinf(double value)
{
    return __isinf(value);
}

int signbit(double value)
{
    return __signbit(value);
}

int signbitf(float value)
{
    return __signbit(value);
}

int signbitl(long double value)
{
    return __signbit(value);
}
