#ifndef _SIGNAL_H
#define _SIGNAL_H
/* Handlers are called by raise and abort, and for faults of the machine: SIGSEGV, SIGBUS, SIGFPE. */
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
#define SIGTSTP 20
#define SIGTTIN 21
#define SIGTTOU 22
#define SIGURG 23
#define SIGXCPU 24
#define SIGXFSZ 25
#define SIGVTALRM 26
#define SIGPROF 27
#define SIGWINCH 28
#define SIGIO 29
#define SIGPWR 30
#define SIGSYS 31
__handler signal(int, __handler);
int raise(int);
/* As nothing is sent but by the program itself, masks are kept, and do nothing. */
#include <sys/types.h>
typedef unsigned long sigset_t;
typedef __handler sighandler_t;
typedef struct {
    int si_signo, si_code, si_errno;
    pid_t si_pid;
    uid_t si_uid;
    void *si_addr;
    int si_status;
} siginfo_t;
struct sigaction {
    union {
        __handler sa_handler;
        void (*sa_sigaction)(int, siginfo_t *, void *);
    };
    sigset_t sa_mask;
    int sa_flags;
};
#define SA_NOCLDSTOP 1
#define SA_NOCLDWAIT 2
#define SA_SIGINFO 4
#define SA_ONSTACK 0x08000000
#define SA_RESTART 0x10000000
#define SA_NODEFER 0x40000000
#define SA_RESETHAND 0x80000000
#define SIG_BLOCK 0
#define SIG_UNBLOCK 1
#define SIG_SETMASK 2
int kill(pid_t, int), sigaction(int, const struct sigaction *, struct sigaction *);
int sigprocmask(int, const sigset_t *, sigset_t *), sigpending(sigset_t *), sigsuspend(const sigset_t *);
int sigemptyset(sigset_t *), sigfillset(sigset_t *), sigaddset(sigset_t *, int), sigdelset(sigset_t *, int);
int sigismember(const sigset_t *, int);
void psignal(int, const char *);
/* For signals that no fault of the machine becomes; the compiler uses them if it knows the signal. */
__handler __set_handler(int, __handler);
int __set_action(int, const struct sigaction *, struct sigaction *);
#endif
