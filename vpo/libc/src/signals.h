/* What the files about signals share. */

#include <signal.h>

void __call_handler(int, const struct sigaction *, void *);
struct sigaction __take_action(int);

/* Not 0 while the handler of a fault is called: another fault ends the run. */
extern volatile unsigned char __fault_active;
