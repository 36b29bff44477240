/* div, ldiv, lldiv, imaxdiv */

#include <inttypes.h>
#include <stdlib.h>

div_t div(int dividend, int divisor)
{
    div_t result;

    result.quot = dividend / divisor;
    result.rem = dividend - result.quot * divisor;
    return result;
}

ldiv_t ldiv(long dividend, long divisor)
{
    ldiv_t result;

    result.quot = dividend / divisor;
    result.rem = dividend - result.quot * divisor;
    return result;
}

lldiv_t lldiv(long long dividend, long long divisor)
{
    lldiv_t result;

    result.quot = dividend / divisor;
    result.rem = dividend - result.quot * divisor;
    return result;
}

imaxdiv_t imaxdiv(intmax_t dividend, intmax_t divisor)
{
    imaxdiv_t result;

    result.quot = dividend / divisor;
    result.rem = dividend - result.quot * divisor;
    return result;
}
