/* abort: calls the handler of SIGABRT if there is one; ends with the status that a shell gives for SIGABRT. */

#include <stdlib.h>
#include "libc.h"

void (*__handle_abort)(void);

void abort(void)
{
    if (__handle_abort)
        __handle_abort();
    _Exit(128 + 6);
}
