#ifndef _SYS_WAIT_H
#define _SYS_WAIT_H
#include <sys/types.h>
#include <_wait_status.h>
/* There are no other processes: waiting fails with ECHILD. */
pid_t wait(int *), waitpid(pid_t, int *, int);
#endif
