/* The actions of signals, and signals that the program itself raises. */

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include "libc.h"
#include "signals.h"

static struct sigaction actions[NSIG];

static void handle_abort(void)
{
    struct sigaction action = actions[SIGABRT];

    actions[SIGABRT].sa_handler = SIG_DFL;
    if (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN)
        __call_handler(SIGABRT, &action, SI_TKILL, 0);
}

/* Calls a handler with what its action asks for: si_code, and the address whose reference faulted. */
void __call_handler(int number, const struct sigaction *action, int code, void *address)
{
    siginfo_t information = {0};

    if (!(action->sa_flags & SA_SIGINFO)) {
        action->sa_handler(number);
        return;
    }
    information.si_signo = number;
    information.si_code = code;
    information.si_addr = address;
    action->sa_sigaction(number, &information, 0);
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

    if (number <= 0 || number >= NSIG || (action && (number == SIGKILL || number == SIGSTOP))) {
        errno = EINVAL;
        return -1;
    }
    before = actions[number];
    if (action) {
        __handle_abort = handle_abort;
        actions[number] = *action;
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

    if (number <= 0 || number >= NSIG) {
        errno = EINVAL;
        return -1;
    }
    action = __take_action(number);
    if (action.sa_handler == SIG_IGN)
        return 0;
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
