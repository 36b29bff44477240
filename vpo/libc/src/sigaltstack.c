/* sigaltstack: with it, an exhausted stack becomes SIGSEGV for handlers that are to have another stack (SA_ONSTACK).

   In a program without it, references by the stack pointer are not checked. */

#include <errno.h>
#include <signal.h>

/* Written here: whether the program has offered a stack. */
volatile unsigned char __fault_stack_offered;

static stack_t alternate = {0, SS_DISABLE, 0};

int sigaltstack(const stack_t *stack, stack_t *old)
{
    if (stack && !(stack->ss_flags & SS_DISABLE) && stack->ss_size < MINSIGSTKSZ) {
        errno = ENOMEM;
        return -1;
    }
    if (old)
        *old = alternate;
    if (stack) {
        alternate = *stack;
        __fault_stack_offered = !(stack->ss_flags & SS_DISABLE);
    }
    return 0;
}
