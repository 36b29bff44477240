#ifndef _SIGNAL_H
#define _SIGNAL_H
/* Handlers are called by raise and abort; faults of the machine end the program. */
typedef int sig_atomic_t;
typedef void (*__handler)(int);
#define SIG_DFL ((__handler)0)
#define SIG_IGN ((__handler)1)
#define SIG_ERR ((__handler)-1)
#define SIGHUP 1
#define SIGINT 2
#define SIGQUIT 3
#define SIGILL 4
#define SIGTRAP 5
#define SIGABRT 6
#define SIGBUS 7
#define SIGFPE 8
#define SIGKILL 9
#define SIGUSR1 10
#define SIGSEGV 11
#define SIGUSR2 12
#define SIGPIPE 13
#define SIGALRM 14
#define SIGTERM 15
#define SIGCHLD 17
#define SIGCONT 18
#define SIGSTOP 19
#define NSIG 32
__handler signal(int, __handler);
int raise(int);
#endif
