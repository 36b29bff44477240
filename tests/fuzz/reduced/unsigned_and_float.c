/* expect: 4294967040 3000000000 7 1 */
/* Routines for unsigned words and single precision were missing; #if did not know the suffix LL. */
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

#if INT64_MAX >= INT_MAX && 0xffffffffffffffffull > 1LL && 1lu
static const int known = 1;
#else
static const int known = 0;
#endif

int main(void)
{
    volatile float f = 4294967040.0f, g = 7.5f;
    volatile unsigned u = 3000000000u;
    float back = u;

    printf("%u %.0f %u %d\n", (unsigned)f, back, (unsigned)g, known);
    return 0;
}
