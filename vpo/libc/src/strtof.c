/* strtof: by a double that is odd unless it is exact, so that rounding it again does no harm. */

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include "double.h"
#include "strtod.h"

float strtof(const char *string, char **end)
{
    union double_bits number;
    float value;
    int direction;

    number.value = __strtod(string, end, &direction);
    if (direction && !(number.bits & 1))
        number.bits += direction;
    value = (float)number.value;
    if ((__isinf(value) && !__isinf(number.value)) ||
        (number.value != 0 && number.value != value && fabs(number.value) < 0x1.ffffffp-127))
        errno = ERANGE;
    return value;
}
