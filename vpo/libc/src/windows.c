/* Register windows are put away: those of all functions that are under way are in memory then. */

#include <setjmp.h>

#ifndef __REGISTER_WINDOWS__
#define __REGISTER_WINDOWS__ 3
#endif

/* Fill all windows but one. */
static __attribute__((noinline)) int fill_windows(int count)
{
    return count > 0 ? fill_windows(count - 1) + 1 : 0;
}

void __put_away_windows(void)
{
    volatile int filled = fill_windows(__REGISTER_WINDOWS__ - 3);
    (void)filled;
}
