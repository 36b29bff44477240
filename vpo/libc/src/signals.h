/* What the files about signals share. */

#include <signal.h>

void __call_handler(int, const struct sigaction *, int code, void *address);
struct sigaction __take_action(int);
int __send(int, int code);

/* Not 0 while the handler of a fault is called: another fault ends the run. */
extern volatile unsigned char __fault_active;
