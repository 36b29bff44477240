/* The actions of signals, and signals that the program itself raises. */

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include "libc.h"
#include "signals.h"

static struct sigaction actions[NSIG];
static int codes[NSIG]; /* how those were sent that are held back */
sigset_t __mask, __pending;
union sigval __sent_value;

sigset_t __signal_bit(int number)
{
    if (number > 0 && number < NSIG)
        return (sigset_t)1 << (number - 1);
    errno = EINVAL;
    return 0;
}

static void handle_abort(void)
{
    struct sigaction action = actions[SIGABRT];

    actions[SIGABRT].sa_handler = SIG_DFL;
    if (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN)
        __call_handler(SIGABRT, &action, SI_TKILL, 0);
}

/* Calls a handler with what its action asks for: si_code, and the address whose reference faulted.  Signals that the
   action names, and mostly the signal itself, are held back until it returns. */
void __call_handler(int number, const struct sigaction *action, int code, void *address)
{
    siginfo_t information = {0};
    sigset_t mask = __mask;

    __mask |= action->sa_mask | (action->sa_flags & SA_NODEFER ? 0 : __signal_bit(number));
    if (action->sa_flags & SA_SIGINFO) {
        information.si_signo = number;
        information.si_code = code;
        if (code == SI_QUEUE || code == SI_TIMER)
            information.si_value = __sent_value;
        else
            information.si_addr = address;
        action->sa_sigaction(number, &information, 0);
    } else
        action->sa_handler(number);
    __allow(mask);
}

void __allow(sigset_t mask)
{
    int number;

    __mask = mask & ~(__signal_bit(SIGKILL) | __signal_bit(SIGSTOP));
    for (number = 1; number < NSIG && __pending & ~__mask; number++)
        if (__pending & ~__mask & __signal_bit(number)) {
            __pending &= ~__signal_bit(number);
            __send(number, codes[number]);
        }
}

/* Returns the action of a signal, as it is when its handler is called: one that is reset is so from now on. */
struct sigaction __take_action(int number)
{
    struct sigaction action = actions[number];

    if (action.sa_flags & (int)SA_RESETHAND)
        actions[number].sa_handler = SIG_DFL;
    return action;
}

/* As sigaction, for signals of which no fault of the machine becomes one. */
int __set_action(int number, const struct sigaction *action, struct sigaction *old)
{
    struct sigaction before;

    if (!__signal_bit(number) || (action && (number == SIGKILL || number == SIGSTOP))) {
        errno = EINVAL;
        return -1;
    }
    before = actions[number];
    if (action) {
        __handle_abort = handle_abort;
        actions[number] = *action;
        if (action->sa_handler == SIG_IGN)
            __pending &= ~__signal_bit(number);
    }
    if (old)
        *old = before;
    return 0;
}

/* As signal, for such signals. */
__handler __set_handler(int number, __handler handler)
{
    struct sigaction action = {{handler}, 0, SA_RESTART}, old;

    return __set_action(number, &action, &old) ? SIG_ERR : old.sa_handler;
}

static int is_ignored_by_default(int number)
{
    return number == SIGCHLD || number == SIGCONT || number == SIGURG || number == SIGWINCH;
}

/* As raise, with the si_code that says how the signal was sent. */
int __send(int number, int code)
{
    struct sigaction action;
    sigset_t member = __signal_bit(number);

    if (!member)
        return -1;
    if (actions[number].sa_handler == SIG_IGN)
        return 0;
    if (__mask & member) {
        __pending |= member;
        codes[number] = code;
        return 0;
    }
    action = __take_action(number);
    if (action.sa_handler == SIG_DFL) {
        if (!is_ignored_by_default(number))
            _Exit(128 + number);
        return 0;
    }
    __call_handler(number, &action, code, 0);
    return 0;
}

int raise(int number)
{
    return __send(number, SI_TKILL);
}
