/* What the files about signals share. */

#include <signal.h>

void __call_handler(int, const struct sigaction *, int code, void *address);
struct sigaction __take_action(int);
int __send(int, int code);

/* The signal's member of a set; 0, and EINVAL, if there is no such signal. */
sigset_t __signal_bit(int);

/* Signals that are held back, and those that were sent meanwhile; what __allow takes out of the mask is sent now. */
extern sigset_t __mask, __pending;
void __allow(sigset_t mask);

extern union sigval __sent_value; /* of sigqueue */

/* Not 0 while the handler of a fault is called: another fault ends the run. */
extern volatile unsigned char __fault_active;
