/* sigsetjmp's part that keeps the signals that are held back, siglongjmp */

#include <setjmp.h>
#include <signal.h>
#include <stddef.h>

void __keep_mask(sigjmp_buf environment, int wanted)
{
    environment->__has_mask = wanted;
    if (wanted)
        sigprocmask(SIG_BLOCK, NULL, &environment->__mask);
}

_Noreturn void siglongjmp(sigjmp_buf environment, int value)
{
    if (environment->__has_mask)
        sigprocmask(SIG_SETMASK, &environment->__mask, NULL);
    longjmp(environment->__place, value);
}
