/* signal, sigaction: handlers of faults of the machine, which whatever runs the program calls by __deliver_fault.

   A program without these pays nothing for them, so the compiler makes calls with another signal, if it is a constant,
   calls of __set_handler and __set_action. */

#include <stdlib.h>
#include <unistd.h>
#include "libc.h"
#include "signals.h"

#define STACK (sizeof(int) == 2 ? 0x800 : 0x8000)

/* Written here: for each signal, whether a fault is delivered: 1, or 3 if an exhausted stack is, too.
   Read here: the signal, the address of the reference. */
volatile unsigned char __fault_handled[NSIG], __fault_number;
void *volatile __fault_address;

/* The stack of handlers, so that one may be called whatever has become of the program's. */
_Alignas(16) char __fault_stack[STACK];

/* What is only found by its name, so that it is linked. */
static void (*volatile entry)(void);
static char *volatile stack;

_Noreturn void __deliver_fault(void);

static void note(int number)
{
    struct sigaction action;

    entry = __deliver_fault;
    stack = __fault_stack;
    __set_action(number, 0, &action);
    __fault_handled[number] = 0;
    if (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN)
        __fault_handled[number] = action.sa_flags & SA_ONSTACK ? 3 : 1;
}

static int code_of(int number)
{
    return number == SIGFPE ? FPE_INTDIV : number == SIGBUS ? BUS_ADRALN : SEGV_MAPERR;
}

/* Nothing calls this: it is entered in place of the instruction that faults, and never comes back. */
_Noreturn void __deliver_fault(void)
{
    static const char said[] = "the handler of a fault returned: the program ends\n";
    int number = __fault_number;
    struct sigaction action;

    __fault_active = 1;
    action = __take_action(number);
    note(number);
    __call_handler(number, &action, code_of(number), __fault_address);
    if (__flush_all)
        __flush_all();
    write(2, said, sizeof said - 1);
    _Exit(128 + number);
}

__handler signal(int number, __handler handler)
{
    __handler old = __set_handler(number, handler);

    if (old != SIG_ERR)
        note(number);
    return old;
}

int sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
    int result = __set_action(number, action, old);

    if (!result && action)
        note(number);
    return result;
}
