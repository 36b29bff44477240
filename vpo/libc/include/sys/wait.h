#ifndef _SYS_WAIT_H
#define _SYS_WAIT_H
#include <sys/types.h>
#include <_wait_status.h>
/* There are no other processes: waiting fails with ECHILD. */
#include <signal.h>
typedef enum { P_ALL, P_PID, P_PGID } idtype_t;
pid_t wait(int *), waitpid(pid_t, int *, int);
int waitid(idtype_t, id_t, siginfo_t *, int);
#if !defined __STRICT_ANSI__ || defined _GNU_SOURCE || defined _DEFAULT_SOURCE
#include <sys/resource.h>
pid_t wait3(int *, int, struct rusage *), wait4(pid_t, int *, int, struct rusage *);
#endif
#endif
