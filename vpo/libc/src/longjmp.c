/* longjmp: puts away register windows, and returns from setjmp; the compiler writes __setjmp and __longjmp. */

#include <setjmp.h>
#include "signals.h"

int __setjmp_value; /* of the setjmp that returns next */

_Noreturn void longjmp(jmp_buf environment, int value)
{
#ifdef __REGISTER_WINDOWS__
    __put_away_windows();
#endif
    __fault_active = 0;
    __setjmp_value = value != 0 ? value : 1;
    __longjmp(environment);
}
