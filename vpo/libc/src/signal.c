/* signal, raise: handlers that the program itself calls; faults of the machine end it without asking. */

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include "libc.h"

static __handler handlers[NSIG];

static void handle_abort(void)
{
    __handler handler = handlers[SIGABRT];

    handlers[SIGABRT] = SIG_DFL;
    if (handler != SIG_DFL && handler != SIG_IGN)
        handler(SIGABRT);
}

__handler signal(int number, __handler handler)
{
    __handler old;

    if (number <= 0 || number >= NSIG || number == SIGKILL || number == SIGSTOP) {
        errno = EINVAL;
        return SIG_ERR;
    }
    __handle_abort = handle_abort;
    old = handlers[number];
    handlers[number] = handler;
    return old;
}

int raise(int number)
{
    __handler handler;

    if (number <= 0 || number >= NSIG) {
        errno = EINVAL;
        return -1;
    }
    handler = handlers[number];
    if (handler == SIG_IGN)
        return 0;
    if (handler == SIG_DFL) {
        if (number != SIGCHLD && number != SIGCONT)
            _Exit(128 + number);
        return 0;
    }
    handler(number); /* it stays installed, as POSIX and others have it */
    return 0;
}
