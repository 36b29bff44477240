/* A board on which nothing has to be set up, and on which nobody waits for a signal: what is counted is the whole program. */
#include "support.h"

void initialise_board(void)
{
}

void start_trigger(void)
{
}

void stop_trigger(void)
{
}
