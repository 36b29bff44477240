/* ecvt and its kin for long double, which has the digits of a double. */

#include <stdlib.h>

char *qecvt(long double value, int count, int *point, int *sign)
{
    return ecvt((double)value, count, point, sign);
}

char *qfcvt(long double value, int count, int *point, int *sign)
{
    return fcvt((double)value, count, point, sign);
}

char *qgcvt(long double value, int count, char *buffer)
{
    return gcvt((double)value, count, buffer);
}

int qecvt_r(long double value, int count, int *point, int *sign, char *buffer, size_t size)
{
    return ecvt_r((double)value, count, point, sign, buffer, size);
}

int qfcvt_r(long double value, int count, int *point, int *sign, char *buffer, size_t size)
{
    return fcvt_r((double)value, count, point, sign, buffer, size);
}
