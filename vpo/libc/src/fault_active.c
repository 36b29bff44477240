/* Whether the handler of a fault is called; longjmp ends that. */

#include "signals.h"

volatile unsigned char __fault_active;
