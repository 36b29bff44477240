/* longjmp: puts away register windows, and returns from setjmp; the compiler writes __setjmp and __longjmp. */

#include <setjmp.h>
#include "signals.h"

int __setjmp_value; /* of the setjmp that returns next */

#ifdef __REGISTER_WINDOWS__
/* Fill all windows but one; when they are left again, those of all other functions are in memory. */
static int fill_windows(int count)
{
    return count > 0 ? fill_windows(count - 1) + 1 : 0;
}
#endif

_Noreturn void longjmp(jmp_buf environment, int value)
{
#ifdef __REGISTER_WINDOWS__
    volatile int filled = fill_windows(__REGISTER_WINDOWS__ - 3);
    (void)filled;
#endif
    __fault_active = 0;
    __setjmp_value = value != 0 ? value : 1;
    __longjmp(environment);
}
